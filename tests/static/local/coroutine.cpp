// Coroutines that go on in other threads, with everything that they know: their own variables, what
// their caller has lent them, blocks, thread_local variables of the thread that they come from.
// Correct: what they do is ordered by the executor's lock, or by creating and joining threads.
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace {

std::mutex mutex;
std::condition_variable changed;
std::deque<std::coroutine_handle<>> ready;
int running = 0;

void post(std::coroutine_handle<> handle) {
  std::lock_guard lock(mutex);
  ready.push_back(handle);
  changed.notify_one();
}

/// Goes on wherever the executor has a thread.
struct Hop {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> handle) { post(handle); }
  void await_resume() {}
};

struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

/// Starts when it is awaited, and goes on with who awaits it: both by symmetric transfer.
struct Task {
  struct promise_type {
    Task get_return_object() {
      return Task{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    auto final_suspend() noexcept {
      struct Back {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
          return self.promise().awaiting;
        }
        void await_resume() noexcept {}
      };
      return Back{};
    }
    void return_value(int value) { result = value; }
    void unhandled_exception() {}
    std::coroutine_handle<> awaiting;
    int result = 0;
  };
  explicit Task(std::coroutine_handle<promise_type> handle) : handle(handle) {}
  Task(Task&& other) noexcept : handle(std::exchange(other.handle, {})) {}
  ~Task() {
    if (handle)
      handle.destroy();
  }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    handle.promise().awaiting = awaiting;
    return handle;
  }
  int await_resume() { return handle.promise().result; }
  std::coroutine_handle<promise_type> handle;
};

struct Generator {
  struct promise_type {
    Generator get_return_object() {
      return Generator{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int value) {
      current = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
    int current = 0;
  };
  explicit Generator(std::coroutine_handle<promise_type> handle) : handle(handle) {}
  ~Generator() { handle.destroy(); }
  int next() {
    handle.resume();
    return handle.promise().current;
  }
  std::coroutine_handle<promise_type> handle;
};

/// A function that a coroutine calls has a frame of its own, whichever thread it is.
__attribute__((noinline)) void fill(int* parts, int step) {
  for (int i = 0; i < 4; ++i)
    parts[i] = step * i; // local
}

__attribute__((noinline)) int sumUpTo(int last) {
  int parts[4];
  fill(parts, last);
  int sum = 0;
  for (int i = 0; i <= (last & 3); ++i)
    sum += parts[i]; // local
  return sum;
}

thread_local int inThread = 0;

Generator count(int* calls) {
  int* mine = &inThread;
  for (int i = 0;; ++i) {
    *calls += 1; // not local
    *mine += 1;
    co_yield sumUpTo(i);
  }
}

Task half(int* total) {
  auto block = std::make_unique<int>(1);
  co_await Hop{};
  *block += 1;      // not local
  *total += *block; // not local
  co_return *total; // not local
}

Detached whole(int* total, int* result) {
  int own[2] = {1, 2};
  int* last = &own[1];
  for (int i = 0; i < 2; ++i) {
    *result += co_await half(total); // not local
    *last += 1;
  }
  std::lock_guard lock(mutex);
  --running;
  changed.notify_all();
}

void work() {
  for (;;) {
    std::coroutine_handle<> next;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return !ready.empty() || running == 0; });
      if (ready.empty())
        return;
      next = ready.front();
      ready.pop_front();
    }
    next.resume();
  }
}

} // namespace

int main() {
  int calls = 0;
  Generator numbers = count(&calls);
  int first = numbers.next();
  int second = 0;
  std::thread([&] { second = numbers.next(); }).join();
  int total = 0;
  int result = 0;
  running = 1;
  whole(&total, &result);
  std::thread one(work), other(work);
  one.join();
  other.join();
  return calls == 2 && first == 0 && second == 1 && total == 4 && result == 6 ? 0 : 1;
}
