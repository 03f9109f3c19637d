#include "round_robin.h"

namespace heddle {

ThreadIndex RoundRobin::choose(const Choice& choice) {
  return choice.enabled.after(choice.current);
}

} // namespace heddle
