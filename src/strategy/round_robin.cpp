#include "round_robin.h"

namespace heddle {

ThreadIndex RoundRobin::choose(const Choice& choice) {
  mainFirst_ = mainFirst_ && choice.enabled.contains(ThreadIndex::Main);
  if (mainFirst_)
    return ThreadIndex::Main;
  return choice.enabled.after(choice.current);
}

} // namespace heddle
