#pragma once

#include <string>
#include <vector>

namespace heddle {

/// One thing that heddle needs or profits from.
struct DoctorCheck {
  enum class State { Ok, Slower, Missing };
  std::string name;
  State state = State::Ok;
  std::string found;
  std::string advice; ///< what to do; empty when all is well
};

/// Tries out what heddle uses on this machine. `storeDirectory` is tested for writing.
std::vector<DoctorCheck> examineMachine(const std::string& storeDirectory);

const char* doctorStateName(DoctorCheck::State state);

} // namespace heddle
