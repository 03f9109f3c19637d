// heddle-corpus: flags=-lboost_thread,-lboost_chrono,-lboost_system short=50
// Boost.Thread: its shared_mutex with upgrades, futures with continuations, a sync_bounded_queue,
// barriers, interruption of a thread that waits, and thread_specific_ptr.
#define BOOST_THREAD_VERSION 4
#include <boost/thread.hpp>
#include <boost/thread/barrier.hpp>
#include <boost/thread/concurrent_queues/sync_bounded_queue.hpp>
#include <boost/thread/future.hpp>
#include <boost/thread/shared_mutex.hpp>
#include <boost/thread/tss.hpp>
#include <cassert>
#include <cstdlib>
#include <map>

namespace {

class Directory {
public:
  int numberOf(int name) {
    {
      boost::shared_lock<boost::shared_mutex> lock(mutex_);
      auto found = numbers_.find(name);
      if (found != numbers_.end())
        return found->second;
    }
    boost::upgrade_lock<boost::shared_mutex> lock(mutex_);
    auto found = numbers_.find(name);
    if (found != numbers_.end())
      return found->second;
    boost::upgrade_to_unique_lock<boost::shared_mutex> writing(lock);
    return numbers_[name] = name * 7;
  }

private:
  boost::shared_mutex mutex_;
  std::map<int, int> numbers_;
};

boost::thread_specific_ptr<long> own;

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 3000;
  Directory directory;
  boost::sync_bounded_queue<int> queue(8);
  boost::barrier together(3);
  long sums[2] = {0, 0};
  boost::thread_group threads;
  for (int t = 0; t < 2; ++t)
    threads.create_thread([&, t] {
      own.reset(new long(0));
      together.wait();
      int item = 0;
      while (queue.wait_pull_front(item) == boost::queue_op_status::success)
        *own += directory.numberOf(item % 64);
      sums[t] = *own;
    });
  threads.create_thread([&] {
    together.wait();
    for (int i = 0; i < rounds; ++i)
      queue.push_back(i);
    queue.close();
  });
  threads.join_all();
  long expected = 0;
  for (int i = 0; i < rounds; ++i)
    expected += i % 64 * 7;
  assert(sums[0] + sums[1] == expected);

  boost::mutex mutex;
  boost::condition_variable never;
  bool interrupted = false;
  boost::thread waiter([&] {
    boost::unique_lock<boost::mutex> lock(mutex);
    try {
      for (;;)
        never.wait(lock);
    } catch (const boost::thread_interrupted&) {
      interrupted = true;
    }
  });
  waiter.interrupt();
  waiter.join();
  assert(interrupted);

  boost::future<int> first = boost::async(boost::launch::async, [] { return 20; });
  boost::future<int> second = first.then([](boost::future<int> f) { return f.get() + 1; });
  assert(second.get() == 21);
}
