// Three ways to do something once: call_once whose function may throw and is tried again, a static
// local, and pthread_once; and a fresh once_flag for each of thousands of sessions.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

struct Session {
  std::once_flag opened;
  std::atomic<int> attempts{0};
  int token = 0;

  int get(int number) {
    for (;;) {
      try {
        std::call_once(opened, [&] {
          if (attempts.fetch_add(1) == 0)
            throw std::runtime_error("the first attempt fails");
          token = number + 1;
        });
        return token;
      } catch (const std::runtime_error&) {
      }
    }
  }
};

int defaultToken() {
  static const std::vector<int> table{3, 5, 7};
  return table[1];
}

pthread_once_t setUp = PTHREAD_ONCE_INIT;
int configured = 0;

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 3000;
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < rounds; ++i)
    sessions.push_back(std::make_unique<Session>());
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&] {
      pthread_once(&setUp, [] { configured = 42; });
      assert(configured == 42);
      for (int i = 0; i < rounds; ++i) {
        assert(sessions[i]->get(i) == i + 1);
        assert(defaultToken() == 5);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (auto& session : sessions)
    assert(session->attempts == 2);
}
