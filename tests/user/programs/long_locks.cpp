// Threads that take locks and count with atomics all the time. A withdrawal looks at the balance in
// one section and changes it in another one: rarely, an update is lost. In between a section is
// held for long, so that others have to wait for it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kThreads = 3;
constexpr int kRounds = 1000;

std::mutex mutex, log;
int balance = kThreads * kRounds;
std::atomic<int> withdrawals{0};
int entries = 0;

/// `last`: what the thread has seen in the round before.
static void withdraw(int& last) {
  int seen;
  {
    std::lock_guard<std::mutex> guard(mutex);
    seen = balance;
  }
#ifndef AT_THE_END
  assert(seen < last);
#endif
  last = seen;
  withdrawals.fetch_add(1);
  std::lock_guard<std::mutex> guard(mutex);
  balance = seen - 1;
  if (seen % 16 == 0) {
    std::lock_guard<std::mutex> inner(log);
    entries += withdrawals.load() > 0;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([] {
      int last = kThreads * kRounds + 1;
      for (int round = 0; round < kRounds; ++round)
        withdraw(last);
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(balance == 0);
}
