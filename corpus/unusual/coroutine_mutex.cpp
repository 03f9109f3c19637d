// A mutex for coroutines: who does not get it is suspended and put into a lock-free list, and the
// one who unlocks resumes it on its own thread. Three threads drive their coroutines through it.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <semaphore>
#include <thread>
#include <vector>

namespace {

class AsyncMutex {
public:
  struct Waiter {
    AsyncMutex& mutex;
    std::coroutine_handle<> handle{};
    Waiter* next = nullptr;

    bool await_ready() const noexcept { return mutex.tryLock(); }
    bool await_suspend(std::coroutine_handle<> suspended) noexcept {
      handle = suspended;
      return mutex.enqueue(*this);
    }
    void await_resume() const noexcept {}
  };

  Waiter lock() { return Waiter{*this}; }

  void unlock() {
    if (!waiting_) {
      std::uintptr_t nobody = kLocked;
      if (state_.compare_exchange_strong(nobody, kFree))
        return;
      takeWaiting(state_.exchange(kLocked));
    }
    Waiter* next = waiting_;
    waiting_ = next->next;
    next->handle.resume();
  }

private:
  static constexpr std::uintptr_t kFree = 1;
  static constexpr std::uintptr_t kLocked = 0; // or the newest waiter

  bool tryLock() {
    std::uintptr_t free = kFree;
    return state_.compare_exchange_strong(free, kLocked);
  }

  /// False if the mutex became free meanwhile and now belongs to the caller.
  bool enqueue(Waiter& waiter) {
    std::uintptr_t seen = state_.load();
    for (;;) {
      if (seen == kFree) {
        if (state_.compare_exchange_weak(seen, kLocked))
          return false;
        continue;
      }
      waiter.next = reinterpret_cast<Waiter*>(seen);
      if (state_.compare_exchange_weak(seen, reinterpret_cast<std::uintptr_t>(&waiter)))
        return true;
    }
  }

  /// The list has the newest first; who came first is served first.
  void takeWaiting(std::uintptr_t newest) {
    Waiter* waiter = reinterpret_cast<Waiter*>(newest);
    while (waiter) {
      Waiter* older = waiter->next;
      waiter->next = waiting_;
      waiting_ = waiter;
      waiter = older;
    }
  }

  std::atomic<std::uintptr_t> state_{kFree};
  Waiter* waiting_ = nullptr; // of the owner
};

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct Account {
  AsyncMutex mutex;
  long balance = 0;
};

/// At most so many of a thread's coroutines wait: unlocking resumes one inside of the other.
constexpr int kInFlight = 8;
using Slots = std::counting_semaphore<kInFlight>;

Task deposit(Account& account, Slots& slots) {
  co_await account.mutex.lock();
  account.balance += 5;
  account.mutex.unlock();
  slots.release();
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 10000;
  Account account;
  Slots slots[3] = {Slots(kInFlight), Slots(kInFlight), Slots(kInFlight)};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round) {
        slots[i].acquire();
        deposit(account, slots[i]);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(account.balance == 15L * rounds);
}
