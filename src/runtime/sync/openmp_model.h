#pragma once

namespace heddle::rt {

/// libomp has given way on the running thread. Where it waits for tasks that other threads execute,
/// the thread blocks until one of them is finished.
void awaitOpenMPTasks();

} // namespace heddle::rt
