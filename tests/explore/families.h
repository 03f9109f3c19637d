#pragma once

#include <string>

/// Programs of the machine whose numbers of classes are known. Main (thread 0) makes all threads,
/// joins them in order, and reads nothing unless the name says so.
namespace heddle::explore::test {

std::string readers(int n);
std::string writers(int n, bool readAfter);
std::string floatingRead(int n);
std::string lastZero(int n);
std::string increments(int n);
std::string atomicIncrements(int n);
std::string lockedIncrements(int n);
std::string fibonacci(int n);
std::string philosophers(int n);
std::string reorder(int n);
std::string indexer(int n);
std::string filesystem(int n);
/// Figures of the thesis; `readAfter`: main reads the variables after the joins.
std::string figure51(bool readAfter);
std::string figure518(bool readAfter);
std::string figure69(bool readAfter);
std::string figure610(bool readAfter);

} // namespace heddle::explore::test
