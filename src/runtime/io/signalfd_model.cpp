#include "runtime/io/signalfd_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/io/descriptor_table.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/signals/signal_model.h"
#include "runtime/signals/signal_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <new>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

struct SignalDescriptor {
  int fd = -1; ///< the program's end; -1: closed
  int writeEnd = -1;
  uint64_t mask = 0;
  SignalDescriptor* next = nullptr;
};

SignalDescriptor* descriptors = nullptr;

SignalDescriptor* find(int fd) {
  for (SignalDescriptor* d = descriptors; d; d = d->next)
    if (d->fd == fd)
      return d;
  return nullptr;
}

signalfd_siginfo describe(int signal, const siginfo_t& info) {
  signalfd_siginfo text{};
  text.ssi_signo = static_cast<uint32_t>(signal);
  text.ssi_code = info.si_code;
  text.ssi_pid = static_cast<uint32_t>(info.si_pid);
  text.ssi_uid = info.si_uid;
  text.ssi_int = info.si_value.sival_int;
  text.ssi_ptr = reinterpret_cast<uint64_t>(info.si_value.sival_ptr);
  return text;
}

long create(uint64_t mask, int flags) {
  int pair[2];
  int type = SOCK_SEQPACKET | (flags & SFD_CLOEXEC ? SOCK_CLOEXEC : 0);
  long result = rawSyscall(SYS_socketpair, AF_UNIX, type, 0, asLong(pair));
  if (result != 0)
    return result;
  if (flags & SFD_NONBLOCK)
    rawSyscall(SYS_fcntl, pair[0], F_SETFL, O_NONBLOCK);
  descriptorOpened(pair[0], DescriptorKind::Signals);
  descriptorOpened(pair[1], DescriptorKind::Signals);
  auto* d = new (runAllocate(sizeof(SignalDescriptor))) SignalDescriptor;
  *d = {pair[0], pair[1], mask, descriptors};
  descriptors = d;
  return pair[0];
}

} // namespace

bool writeToSignalDescriptor(int signal, const siginfo_t& info) {
  for (SignalDescriptor* d = descriptors; d; d = d->next) {
    if (d->fd < 0 || !(d->mask & signalBit(signal)))
      continue;
    signalfd_siginfo text = describe(signal, info);
    rawSyscall(SYS_sendto, d->writeEnd, asLong(&text), sizeof text, MSG_DONTWAIT | MSG_NOSIGNAL, 0,
               0);
    return true;
  }
  return false;
}

void signalDescriptorClosed(int fd) {
  SignalDescriptor* d = find(fd);
  if (!d)
    return;
  rawSyscall(SYS_close, d->writeEnd);
  descriptorClosed(d->writeEnd);
  d->fd = -1;
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE int signalfd(int fd, const sigset_t* mask, int flags) {
  if (!controlled())
    return real::signalfd(fd, mask, flags);
  uint64_t bits = maskBits(mask);
  for (uint64_t left = bits; left != 0; left &= left - 1)
    catchForReal(__builtin_ctzll(left) + 1);
  if (fd == -1)
    return static_cast<int>(withErrno(create(bits, flags)));
  SignalDescriptor* d = find(fd);
  if (!d)
    return static_cast<int>(withErrno(-EINVAL));
  d->mask = bits;
  return fd;
}
