#include "model/summary.h"

namespace heddle {

const char* testEndName(TestEnd end) {
  switch (end) {
  case TestEnd::NothingFound:
    return "nothing found";
  case TestEnd::Found:
    return "found";
  case TestEnd::OneThread:
    return "one thread";
  case TestEnd::Skipped:
    return "skipped";
  case TestEnd::NotRun:
    return "not run";
  case TestEnd::Lost:
    return "lost control";
  }
  return "";
}

} // namespace heddle
