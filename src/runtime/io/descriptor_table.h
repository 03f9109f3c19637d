#pragma once

#include <stddef.h>
#include <stdint.h>

/// What the runtime knows of the program's file descriptors: what they are, whether somebody
/// outside the process can make them ready, and which of them the current run has opened.
/// Run state: rewound with the program's memory.
namespace heddle::rt {

enum class DescriptorKind : uint8_t {
  Unknown, ///< inherited, or opened where nobody looked
  File,    ///< never blocks
  Pipe,
  SocketPair,
  Event, ///< eventfd, and timerfd, which is one of ours
  Epoll,
  Socket,
  Signals,      ///< signalfd: the read end of a pipe of ours
  RandomDevice, ///< /dev/urandom and /dev/random
};

/// Who can make a descriptor ready that is not.
enum class Reach : uint8_t {
  Inside,    ///< this process only: if all its threads wait, it stays as it is for ever
  Listening, ///< somebody outside may turn up, but nothing says that anybody will
  Outside,   ///< somebody outside: virtual time follows real time meanwhile
};

inline constexpr int kMaxDescriptors = 4096; ///< numbers above are not tracked

/// A descriptor came into being. Numbers that are not tracked make the run not restorable.
void descriptorOpened(int fd, DescriptorKind kind);
/// `copy` is a duplicate of `fd` now.
void descriptorCopied(int fd, int copy);
void descriptorClosed(int fd);
DescriptorKind descriptorKind(int fd);
/// Whether it was there before the run: what happens to it cannot be undone.
bool isInherited(int fd);
Reach reachOf(int fd);

/// A socket has got its addresses (bind, connect, accept): reads them, to find out whether its
/// peer is in this process too.
void socketNamed(int fd);
void socketListens(int fd);

/// Epoll sets: what a wait for one depends on.
void epollAdded(int epoll, int fd);
void epollRemoved(int epoll, int fd);

/// Descriptors may have left the process: sent over a socket, inherited by a child.
void descriptorsShared();
void childStarted();
void childReaped();
bool hasChildren();

/// The object under which events of this descriptor are filed.
inline const void* descriptorObject(int fd) {
  return reinterpret_cast<const void*>(static_cast<uintptr_t>(0x1000 + fd));
}

/// What is open now belongs to the snapshot: call before it is taken.
void keepDescriptors();
/// Closes what the run has opened: call when it has ended, before memory is rewound.
void closeRunDescriptors();

} // namespace heddle::rt
