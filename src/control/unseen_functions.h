#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Linkage names of the functions in an executable or library that were compiled without the pass,
/// sorted: those in its symbol table that no translation unit's list of seen functions has. Left
/// out: heddle's runtime, start-up code and the parts of the C and C++ libraries that are linked
/// in. Empty when the file has no symbol table or nothing in it was compiled with the pass.
std::vector<std::string> unseenFunctions(const std::string& path);

/// nameHash of all names of these functions, sorted: what the runtime knows calls of them by. A
/// file is read once.
std::vector<uint64_t> unseenNames(const std::string& path);

/// Whether such functions are there of whatever library, besides start-up code and heddle's
/// runtime: they may call any function of the program that can be called from another unit.
bool hasUnseenCode(const std::string& path);

/// Whether a function of this name is part of the compiler or of its libraries: names that are
/// reserved for them, namespace std, and what every program has linked in.
bool isOfImplementation(std::string_view linkageName);

} // namespace heddle
