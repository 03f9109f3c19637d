#pragma once

/// Processes that the program starts. The child of its fork() is free: one thread, the calling one,
/// real signals, real time, and no trace of heddle in its environment. Waiting for children is
/// virtual blocking like all other.
