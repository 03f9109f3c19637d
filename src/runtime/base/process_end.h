#pragma once

/// How the process ends, past libc and past every handler.
namespace heddle::rt {

[[noreturn]] void leaveProcess(int status);
/// By SIGABRT.
[[noreturn]] void abortForReal();

} // namespace heddle::rt
