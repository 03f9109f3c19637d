// Slow runs that write a file, and many races that break nothing.
#include <fstream>
#include <thread>

static int values[40];

static void prepare() {
  volatile unsigned long sum = 0;
  for (int i = 0; i < 4000000; ++i)
    sum = sum + i;
}

template <int N> static void touch() {
  values[N] = values[N] + 1;
  if constexpr (N > 0)
    touch<N - 1>();
}

int main() {
  std::ofstream("slow_races.log", std::ios::app) << "run\n";
  prepare();
  std::thread one(touch<39>), other(touch<39>);
  one.join();
  other.join();
}
