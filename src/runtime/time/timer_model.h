#pragma once

/// alarm, setitimer, timer_create and timerfd in virtual time. A timerfd is an eventfd that the
/// timer writes to: it can be read, polled and put into epoll sets like the real one.
namespace heddle::rt {

void timerDescriptorClosed(int fd);

} // namespace heddle::rt
