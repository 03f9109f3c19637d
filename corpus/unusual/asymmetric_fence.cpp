// A reader that only stores and loads, and a writer that makes all threads pass a fence
// (membarrier): what one side leaves out the other one pays for.
#include <atomic>
#include <cassert>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int kReads = 300;
constexpr int kWrites = 100;

std::atomic<bool> reading{false};
std::atomic<bool> writing{false};
int pair_[2];

void passFenceEverywhere() {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void enterRead() {
  for (;;) {
    reading.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (!writing.load(std::memory_order_acquire))
      return;
    reading.store(false, std::memory_order_release);
    while (writing.load(std::memory_order_acquire))
      std::this_thread::yield();
  }
}

void readOften() {
  for (int i = 0; i < kReads; ++i) {
    enterRead();
    assert(pair_[0] == pair_[1]);
    reading.store(false, std::memory_order_release);
  }
}

void writeOften() {
  for (int i = 0; i < kWrites; ++i) {
    writing.store(true);
    passFenceEverywhere();
    while (reading.load(std::memory_order_acquire))
      std::this_thread::yield();
    ++pair_[0];
    ++pair_[1];
    writing.store(false, std::memory_order_release);
  }
}

} // namespace

int main() {
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  std::thread reader(readOften);
  writeOften();
  reader.join();
  assert(pair_[0] == kWrites);
}
