// Uses functions that were compiled without heddle, and has many that heddle saw without a site.
#include <cstdlib>
#include <thread>
#include <vector>

extern int table[4];
int plainSum(int count);
inline int both(int i) { return table[i] + 1; }
int (*mine)(int) = both;

struct Base {
  virtual ~Base() {}
  virtual int number() { return 1; }
};
struct Other {
  virtual ~Other() {}
  virtual int other() { return 2; }
};
struct Derived : Base, Other {
  int number() override { return 3; }
  int other() override { return 4; }
};

static void nothing() {}
template <typename T> T twice(T value) { return value + value; }
thread_local std::vector<int> local(3);

int main() {
  atexit(nothing);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([i] { table[i] = mine(i) + local[0]; });
  for (std::thread& thread : threads)
    thread.join();
  Derived derived;
  Base* base = &derived;
  Other* other = &derived;
  return plainSum(2) + base->number() + other->other() + twice(1) > 100;
}
