#pragma once

/// signalfd: a pair of sockets, of which the program has one; a signal of its mask that no thread
/// takes is written to the other. It is then no longer pending, unlike a signal in a real one.
namespace heddle::rt {

void signalDescriptorClosed(int fd);

} // namespace heddle::rt
