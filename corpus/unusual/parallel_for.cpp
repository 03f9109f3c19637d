// A parallel for without OpenMP: threads take chunks of the range from an atomic counter, write to
// their own elements, and meet at a join; the next loop reads what others have written.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

template <typename Body> void parallelFor(int count, int chunk, Body body) {
  std::atomic<int> next{0};
  auto work = [&] {
    for (;;) {
      int begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= count)
        return;
      for (int i = begin; i < std::min(begin + chunk, count); ++i)
        body(i);
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 0; i < 2; ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers)
    helper.join();
}

} // namespace

int main(int argc, char** argv) {
  int size = argc > 1 ? std::atoi(argv[1]) + 4 : 30000;
  std::vector<std::uint32_t> image(size), blurred(size);
  std::vector<char> edge(size); // neighbours share a word
  for (int pass = 0; pass < 4; ++pass) {
    parallelFor(size, 64, [&](int i) { image[i] = (i * 2654435761u + pass) >> 20; });
    parallelFor(size, 50, [&](int i) {
      std::uint32_t left = image[i ? i - 1 : 0], right = image[i + 1 < size ? i + 1 : i];
      blurred[i] = (left + 2 * image[i] + right) / 4;
    });
    std::atomic<int> edges{0};
    parallelFor(size, 33, [&](int i) {
      edge[i] = image[i] > blurred[i] + 200;
      if (edge[i])
        edges.fetch_add(1, std::memory_order_relaxed);
    });
    int counted = 0;
    for (int i = 0; i < size; ++i) {
      std::uint32_t left = image[i ? i - 1 : 0], right = image[i + 1 < size ? i + 1 : i];
      assert(blurred[i] == (left + 2 * image[i] + right) / 4);
      counted += edge[i];
    }
    assert(counted == edges);
  }
}
