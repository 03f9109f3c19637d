#pragma once

/// timerfd in virtual time: an eventfd that the timer writes to, which can be read, polled and put
/// into epoll sets like the real one.
namespace heddle::rt {

void timerDescriptorClosed(int fd);

} // namespace heddle::rt
