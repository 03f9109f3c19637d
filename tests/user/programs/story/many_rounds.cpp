// A thread takes a lock in many rounds that have nothing to do with the race after them.
#include <mutex>
#include <thread>

std::mutex noise;
long rounds = 0;
int result = 0;

int main() {
  std::thread busy([] {
    for (int i = 0; i < 2000; ++i) {
      std::lock_guard<std::mutex> guard(noise);
      ++rounds;
    }
    result = 1; // the write
  });
  int seen = result; // the read
  busy.join();
  return seen > 1;
}
