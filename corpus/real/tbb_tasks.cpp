// heddle-corpus: flags=-ltbb
// oneTBB's algorithms on its own worker threads: a parallel_for, a reduction, a parallel_pipeline
// and a task_group with a shared atomic.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <functional>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_group.h>
#include <vector>

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
  std::vector<long> values(rounds);
  tbb::parallel_for(0, rounds, [&](int i) { values[i] = i % 100; });
  long sum = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, rounds), 0L,
      [&](const tbb::blocked_range<int>& range, long partial) {
        for (int i = range.begin(); i != range.end(); ++i)
          partial += values[i];
        return partial;
      },
      std::plus<long>());
  long expected = 0;
  for (int i = 0; i < rounds; ++i)
    expected += i % 100;
  assert(sum == expected);

  int next = 0;
  long piped = 0;
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                     [&](tbb::flow_control& control) {
                                       if (next == rounds / 10)
                                         control.stop();
                                       return next++;
                                     }) &
             tbb::make_filter<int, long>(tbb::filter_mode::parallel,
                                         [](int item) { return 2L * item; }) &
             tbb::make_filter<long, void>(tbb::filter_mode::serial_in_order, [&](long item) {
               assert(item >= piped);
               piped = item;
             }));

  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < rounds / 10; ++i)
    group.run([&] { ++ran; });
  group.wait();
  assert(ran == rounds / 10);
}
