// A lost update in the middle of many accesses to shared memory: one change of priorities finds it,
// if it comes at the right one of about 160 steps.
#include <cassert>
#include <thread>

int counter;
int noise[2];

void work(int id) {
  for (int i = 0; i < 20; ++i)
    noise[id] = noise[0] + i;
  int seen = counter;
  counter = seen + 1;
  for (int i = 0; i < 20; ++i)
    noise[id] = noise[1] + i;
}

int main() {
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  assert(counter == 2);
}
