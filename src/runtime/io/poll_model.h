#pragma once

/// poll, select and epoll: asked without waiting first; then the fiber waits for any of the
/// descriptors (io_wait.h), with the timeout in virtual time.
