// EXPECT: deadlock "no thread can run"
// EXPECT: waits T0 join
// EXPECT: waits T1 mutex
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  mutex.lock();
  std::thread([&] { mutex.lock(); }).join();
}
