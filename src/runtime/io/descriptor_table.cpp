#include "runtime/io/descriptor_table.h"

#include "model/ids.h"
#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/restorable.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::rt {

namespace {

enum class Origin : uint8_t {
  Inherited, ///< there before the run, or opened where nobody looked
  Run,
  Nothing, ///< closed by the run
};

struct Descriptor {
  uint64_t local = 0; ///< hash of the socket's own address; 0: none
  uint64_t peer = 0;
  uint64_t peerPort = 0; ///< the peer's address without the host
  DescriptorKind kind = DescriptorKind::Unknown;
  Origin origin = Origin::Inherited;
  bool listens = false;
  bool peerInside = false; ///< for good, also after the peer has closed its end
};

/// One member of an epoll set.
struct EpollMember {
  int epoll;
  int fd;
  EpollMember* next;
};

HEDDLE_LARGE Descriptor table[kMaxDescriptors];
int highest = 0; ///< one more than the highest number that was tracked
EpollMember* members = nullptr;
EpollMember* unusedMembers = nullptr;
bool shared = false;
uint32_t children = 0;
off_t inputOffset = -1; ///< of fd 0 at the snapshot

Descriptor* find(int fd) { return fd >= 0 && fd < kMaxDescriptors ? &table[fd] : nullptr; }

/// Port and, except for wildcards, address. Unix sockets are told apart by their names.
uint64_t addressHash(const sockaddr_storage& address, socklen_t bytes, bool portOnly) {
  if (address.ss_family == AF_INET) {
    auto& in = reinterpret_cast<const sockaddr_in&>(address);
    return mix(mix(AF_INET, in.sin_port), portOnly ? 0 : in.sin_addr.s_addr) | 1;
  }
  if (address.ss_family == AF_INET6) {
    auto& in = reinterpret_cast<const sockaddr_in6&>(address);
    uint64_t hash = mix(AF_INET6, in.sin6_port);
    for (int i = 0; i < 16 && !portOnly; ++i)
      hash = mix(hash, in.sin6_addr.s6_addr[i]);
    return hash | 1;
  }
  constexpr socklen_t kUnnamed = sizeof(sa_family_t);
  if (address.ss_family != AF_UNIX || bytes <= kUnnamed)
    return 0;
  uint64_t hash = AF_UNIX;
  auto* text = reinterpret_cast<const unsigned char*>(&address);
  for (socklen_t i = 0; i < bytes; ++i)
    hash = mix(hash, text[i]);
  return hash | 1;
}

uint64_t nameOf(int fd, long systemCall, bool portOnly) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  if (rawSyscall(systemCall, fd, asLong(&address), asLong(&bytes)) != 0)
    return 0;
  return addressHash(address, bytes, portOnly);
}

/// Whether `other` is what `socket` is connected to. A connection that nobody has accepted yet
/// leads to a socket that listens, perhaps on all hosts; the client of a Unix socket has no name.
bool isPeer(const Descriptor& socket, const Descriptor& other) {
  if (other.kind != DescriptorKind::Socket)
    return false;
  if (socket.peer == 0)
    return socket.local != 0 && other.peer == socket.local;
  return other.local == socket.peer || (other.listens && other.local == socket.peerPort);
}

/// Addresses that sockets of this process had: a peer may be gone before its connection is
/// accepted.
constexpr uint32_t kNameSlots = 1024;
HEDDLE_LARGE uint64_t names[kNameSlots];

void rememberName(uint64_t name) {
  if (name != 0)
    names[name / 2 % kNameSlots] = name; // bit 0 is always set
}

bool hadName(uint64_t name) { return name != 0 && names[name / 2 % kNameSlots] == name; }

bool peerIsInside(int fd) {
  if (hadName(table[fd].peer))
    return true;
  for (int other = 0; other < highest; ++other)
    if (other != fd && isPeer(table[fd], table[other]))
      return true;
  return false;
}

/// A socket with a name of its own and no peer waits for whoever turns up.
Reach socketReach(int fd) {
  if (table[fd].listens)
    return Reach::Listening;
  if (table[fd].peer == 0)
    socketNamed(fd);
  if (table[fd].peerInside)
    return Reach::Inside;
  return table[fd].peer == 0 && table[fd].local != 0 ? Reach::Listening : Reach::Outside;
}

Reach epollReach(int epoll) {
  Reach most = Reach::Inside;
  for (EpollMember* m = members; m; m = m->next) {
    if (m->epoll != epoll || m->fd == epoll)
      continue;
    Reach reach = reachOf(m->fd);
    if (reach > most)
      most = reach;
  }
  return most;
}

void forgetMembers(int fd) {
  for (EpollMember** link = &members; *link;) {
    EpollMember* m = *link;
    if (m->epoll != fd && m->fd != fd) {
      link = &m->next;
      continue;
    }
    *link = m->next;
    m->next = unusedMembers;
    unusedMembers = m;
  }
}

} // namespace

void descriptorOpened(int fd, DescriptorKind kind) {
  Descriptor* d = find(fd);
  if (!d)
    return noteNotRestorable("a descriptor with a large number");
  if (fd >= highest)
    highest = fd + 1;
  *d = {};
  d->kind = kind;
  d->origin = Origin::Run;
}

void descriptorCopied(int fd, int copy) {
  Descriptor* from = find(fd);
  descriptorOpened(copy, from ? from->kind : DescriptorKind::Unknown);
  if (!from || !find(copy))
    return;
  table[copy] = *from;
  table[copy].origin = Origin::Run;
}

void descriptorClosed(int fd) {
  Descriptor* d = find(fd);
  if (!d)
    return;
  if (d->kind == DescriptorKind::Epoll || members)
    forgetMembers(fd);
  *d = {};
  d->origin = Origin::Nothing;
}

DescriptorKind descriptorKind(int fd) {
  Descriptor* d = find(fd);
  return d ? d->kind : DescriptorKind::Unknown;
}

bool isInherited(int fd) {
  Descriptor* d = find(fd);
  return d && d->origin == Origin::Inherited;
}

Reach reachOf(int fd) {
  Descriptor* d = find(fd);
  if (!d)
    return Reach::Outside;
  switch (d->kind) {
  case DescriptorKind::Pipe:
  case DescriptorKind::SocketPair:
  case DescriptorKind::Event:
    return shared || children ? Reach::Outside : Reach::Inside;
  case DescriptorKind::File:
  case DescriptorKind::Signals:
  case DescriptorKind::RandomDevice:
    return Reach::Inside;
  case DescriptorKind::Epoll:
    return epollReach(fd);
  case DescriptorKind::Socket:
    return shared || children ? Reach::Outside : socketReach(fd);
  case DescriptorKind::Unknown:
    return Reach::Outside;
  }
  return Reach::Outside;
}

void socketNamed(int fd) {
  Descriptor* d = find(fd);
  if (!d)
    return;
  d->local = nameOf(fd, SYS_getsockname, false);
  d->peer = nameOf(fd, SYS_getpeername, false);
  d->peerPort = nameOf(fd, SYS_getpeername, true);
  rememberName(d->local);
  d->peerInside |= peerIsInside(fd);
}

void socketListens(int fd) {
  if (Descriptor* d = find(fd)) {
    socketNamed(fd); // an unbound socket gets its port here
    d->listens = true;
  }
}

void epollAdded(int epoll, int fd) {
  auto* m = unusedMembers;
  if (m)
    unusedMembers = m->next;
  else
    m = static_cast<EpollMember*>(runAllocate(sizeof(EpollMember)));
  *m = {epoll, fd, members};
  members = m;
}

void epollRemoved(int epoll, int fd) {
  for (EpollMember** link = &members; *link; link = &(*link)->next) {
    EpollMember* m = *link;
    if (m->epoll != epoll || m->fd != fd)
      continue;
    *link = m->next;
    m->next = unusedMembers;
    unusedMembers = m;
    return;
  }
}

void descriptorsShared() { shared = true; }
void childStarted() { ++children; }
void childReaped() { children -= children != 0; }
bool hasChildren() { return children != 0; }

void keepDescriptors() {
  for (int fd = 0; fd < highest; ++fd)
    table[fd].origin = Origin::Inherited;
  inputOffset = rawSyscall(SYS_lseek, 0, 0, SEEK_CUR);
}

void closeRunDescriptors() {
  for (int fd = 0; fd < highest; ++fd)
    if (table[fd].origin == Origin::Run)
      rawSyscall(SYS_close, fd);
  if (inputOffset >= 0)
    rawSyscall(SYS_lseek, 0, inputOffset, SEEK_SET);
}

} // namespace heddle::rt
