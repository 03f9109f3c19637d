// A place on the stack that is lent to another thread, and then has a variable that nobody knows:
// no run may take the one for the other.
#include <atomic>
#include <thread>

namespace {

constexpr int kCells = 8;
std::atomic<long*> mailbox{nullptr};
std::atomic<bool> answered{false};

__attribute__((noinline)) long lend() {
  long cells[kCells];
  for (long& each : cells)
    each = 1; // not local
  mailbox = cells;
  while (!answered)
    std::this_thread::yield();
  return cells[0]; // not local
}

void answer() {
  while (!mailbox)
    std::this_thread::yield();
  for (int i = 0; i < kCells; ++i)
    mailbox.load()[i] += 1; // not local
  answered = true;
}

/// Its frame lies where lend's has been.
__attribute__((noinline)) long keep(long seed) {
  long cells[kCells];
  for (long& each : cells)
    each = seed;          // local
  return cells[seed & 7]; // local
}

} // namespace

int main() {
  std::thread other(answer);
  long sum = lend();
  sum += keep(sum);
  other.join();
  return sum == 4 ? 0 : 1;
}
