// A worker that counts its queries in a thread_local object, whose destructor adds the count to
// shared statistics. Main joins the worker, which includes its thread_local destructors, before it
// reads and deletes the statistics.
#include <cassert>
#include <future>
#include <thread>

struct Statistics {
  int queries = 0;
};

static Statistics *statistics = nullptr;

struct QueryCounter {
  int queries = 0;
  ~QueryCounter() {
    statistics->queries += queries; // NORACE
  }
};

static thread_local QueryCounter counter;

static void runQueries(std::promise<void> done) {
  for (int i = 0; i < 3; ++i)
    counter.queries++;
  done.set_value();
}

int main() {
  statistics = new Statistics;
  std::promise<void> done;
  std::future<void> finished = done.get_future();
  std::thread worker(runQueries, std::move(done));
  finished.get();
  worker.join();
  assert(statistics->queries == 3); // NORACE
  delete statistics;                // NORACE
}
