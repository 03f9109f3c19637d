// A race that breaks nothing beside an invariant that is broken between two critical sections.
#include <cassert>
#include <mutex>
#include <thread>

static int calls;
static int balance = 100;
static std::mutex guard;

static bool has(int amount) {
  std::lock_guard<std::mutex> lock(guard);
  return balance >= amount;
}

static void take(int amount) {
  std::lock_guard<std::mutex> lock(guard);
  balance -= amount;
  assert(balance >= 0);
}

static void pay(int amount) {
  calls = calls + 1;
  if (has(amount))
    take(amount);
}

int main() {
  std::thread one(pay, 70), other(pay, 50);
  one.join();
  other.join();
}
