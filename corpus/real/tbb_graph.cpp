// heddle-corpus: packages=tbb short=10
// TBB's flow graph: two parallel stages and a join; a parallel_pipeline and
// a parallel_reduce beside it.
#include <cassert>
#include <cstdlib>
#include <tbb/blocked_range.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

namespace flow = tbb::flow;

static void work(int rounds) {
  flow::graph graph;
  long sum = 0;
  flow::function_node<int, long> square(graph, flow::unlimited, [](int v) { return long(v) * v; });
  flow::function_node<int, long> twice(graph, 2, [](int v) { return 2L * v; });
  flow::join_node<std::tuple<long, long>, flow::queueing> both(graph);
  flow::function_node<std::tuple<long, long>> add(
      graph, flow::serial,
      [&](const std::tuple<long, long>& t) { sum += std::get<0>(t) + std::get<1>(t); });
  flow::make_edge(square, flow::input_port<0>(both));
  flow::make_edge(twice, flow::input_port<1>(both));
  flow::make_edge(both, add);
  long expected = 0;
  for (int i = 0; i < rounds; ++i) {
    square.try_put(i);
    twice.try_put(i);
    expected += long(i) * i + 2L * i;
  }
  graph.wait_for_all();
  assert(sum == expected);

  int next = 0;
  long piped = 0;
  tbb::parallel_pipeline(
      8, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                     [&](tbb::flow_control& control) {
                                       if (next == rounds)
                                         control.stop();
                                       return next++;
                                     }) &
             tbb::make_filter<int, long>(tbb::filter_mode::parallel, [](int v) { return 3L * v; }) &
             tbb::make_filter<long, void>(tbb::filter_mode::serial_in_order,
                                          [&](long v) { piped += v; }));
  assert(piped == 3L * rounds * (rounds - 1) / 2);

  long reduced = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, rounds), 0L,
      [](const tbb::blocked_range<int>& range, long value) {
        for (int i = range.begin(); i != range.end(); ++i)
          value += i;
        return value;
      },
      [](long a, long b) { return a + b; });
  assert(reduced == long(rounds) * (rounds - 1) / 2);
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 500;
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4); // whatever number of processors the machine has
  arena.execute([=] { work(rounds); });
}
