#pragma once

#include <string>

namespace heddle {

/// Whether a function belongs to the counts of shared pointers, which are no data of the program
/// and change with every copy.
inline bool countsReferences(const std::string& linkageName) {
  for (const char* part : {"_Sp_counted", "__exchange_and_add", "__atomic_add"})
    if (linkageName.find(part) != std::string::npos)
      return true;
  return false;
}

} // namespace heddle
