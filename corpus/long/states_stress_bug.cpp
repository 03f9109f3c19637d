// A stress test of connections with states: four threads that start, finish and reset them, 100,000
// locked operations. Each transition is locked and checks where it comes from, but whether a
// connection is idle is asked in another critical section than the one that starts it.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 9000
#endif

enum class State { Idle, Busy, Closed };

class Connection {
public:
  State state() {
    std::lock_guard<std::mutex> guard(mutex_);
    return state_;
  }

  void start() {
    std::lock_guard<std::mutex> guard(mutex_);
    assert(state_ == State::Idle); // EXPECT: assertion
    state_ = State::Busy;
  }

  void finish(bool close) {
    std::lock_guard<std::mutex> guard(mutex_);
    state_ = close ? State::Closed : State::Idle;
  }

  void reset() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (state_ == State::Closed)
      state_ = State::Idle;
  }

private:
  std::mutex mutex_;
  State state_ = State::Idle;
};

static unsigned work(unsigned seed) {
  for (int i = 0; i < 10000; ++i)
    seed = seed * 1664525u + 1013904223u;
  return seed;
}

static void serve(std::vector<Connection>& connections, unsigned seed, unsigned& sum) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    seed = seed * 1664525u + 1013904223u;
    Connection& connection = connections[(seed >> 16) % connections.size()];
    connection.reset();
    if (connection.state() != State::Idle)
      continue;
    connection.start();
    sum += work(seed);
    connection.finish(i % 8 == 0);
  }
}

int main() {
  std::vector<Connection> connections(32);
  unsigned sums[4] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(serve, std::ref(connections), i * 7919 + 1, std::ref(sums[i]));
  for (std::thread& thread : threads)
    thread.join();
}
