#pragma once

#include <string>
#include <vector>

/// Descriptors that heddle itself was started with, beyond the standard ones: a make's job server,
/// files of a CI's runner, the shell's. With them the program's own descriptors would have other
/// numbers in each place where heddle is started, and a run could not be replayed in another one.
/// So the program does not get them, except those that its arguments name.
namespace heddle {

/// The descriptors that the arguments name, as the shell's `<(command)` does: /dev/fd/63.
std::vector<int> namedDescriptors(const std::vector<std::string>& arguments);

/// Those of the calling process from 3 on that are not among `kept`, which is sorted, are not
/// passed on to what it executes. For a child between fork and exec: only system calls.
void passOnlyDescriptors(const std::vector<int>& kept);

} // namespace heddle
