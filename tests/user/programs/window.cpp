// A race in a branch that few schedules take: `total` is counted without the mutex while the
// switchover is under way.
#include <mutex>
#include <thread>

std::mutex gate;
int stage = 0;
int total = 0;
int log_lines = 0;

void note() {
  std::lock_guard<std::mutex> guard(gate);
  ++log_lines;
}

void switchOver() {
  for (int i = 0; i < 6; ++i)
    note();
  {
    std::lock_guard<std::mutex> guard(gate);
    stage = 1;
  }
  {
    std::lock_guard<std::mutex> guard(gate);
    stage = 2;
  }
  for (int i = 0; i < 6; ++i)
    note();
  ++total;
}

void count() {
  int seen;
  {
    std::lock_guard<std::mutex> guard(gate);
    seen = stage;
  }
  if (seen == 1)
    ++total;
}

int main() {
  std::thread one(switchOver), other(count);
  one.join();
  other.join();
  return 0;
}
