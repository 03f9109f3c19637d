// A std::condition_variable_any gives any lock back while it waits; wait returns with it.
// RACY: return !jobs.empty(); }); // taken => return !jobs.empty(); }); lock.unlock();
// RACY: changed.wait(lock); => lock.unlock();
// RACY: return level > 0; }); // timed => return level > 0; }); shared.unlock();
// RACY: std::unique_lock writing(levels); => std::shared_lock writing(levels);
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex mutex;
static std::shared_mutex levels;
static std::condition_variable_any changed;
static std::deque<int> jobs;
static int done, level;
static bool begun;

static void work() {
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return !jobs.empty(); }); // taken
    jobs.pop_front();
    ++done;
  }
  {
    std::unique_lock lock(mutex);
    while (!begun)
      changed.wait(lock);
    begun = false;
  }
  {
    std::shared_lock shared(levels);
    changed.wait_for(shared, std::chrono::milliseconds(1), [] { return level > 0; }); // timed
    if (level > 1)
      shared.unlock();
  }
}

int main() {
  std::thread left(work), right(work);
  {
    std::lock_guard guard(mutex);
    jobs.push_back(1);
    jobs.push_back(2);
    begun = true;
  }
  changed.notify_all();
  {
    std::unique_lock writing(levels);
    level = 2;
  }
  changed.notify_one();
  left.join();
  right.join();
  return done;
}
