// Two threads join a third one: the second of them gets an exception that nobody catches.
#include <thread>

std::thread worker;

void stop() {
  if (worker.joinable())
    worker.join();
}

int main() {
  worker = std::thread([] {});
  std::thread first(stop);
  std::thread second(stop);
  first.join();
  second.join();
}
