// The flag is set without the mutex: between the waiter's look and its wait it is missed.
#include "threads.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> isReady = false;

int main() {
  runAll({[] {
            std::unique_lock lock(mutex);
            while (!isReady)
              changed.wait(lock);
          },
          [] {
            isReady = true;
            changed.notify_one();
          }});
  return 0;
}
