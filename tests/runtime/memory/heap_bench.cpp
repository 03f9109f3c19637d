// Times of malloc-heavy kernels, one line "NAME NANOSECONDS" each. Built twice, with the runtime's
// heap and with libc's; heap_bench.py compares them.
#include "runtime/base/raw_syscall.h"

#include <list>
#include <map>
#include <memory>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/syscall.h>
#include <time.h>
#include <unordered_map>
#include <vector>

namespace {

uint64_t state = 88172645463325252ull;
uint64_t next() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void* volatile sink;

void pairs(size_t size, int count) {
  for (int i = 0; i < count; ++i) {
    void* block = malloc(size);
    sink = block;
    free(block);
  }
}

/// A working set of live blocks of which a random one is replaced each time.
void churn(size_t live, size_t maxBytes, int count) {
  std::vector<char*> blocks(live);
  for (int i = 0; i < count; ++i) {
    char*& block = blocks[next() % live];
    free(block);
    block = static_cast<char*>(malloc(1 + next() % maxBytes));
    block[0] = 1;
  }
  for (char* block : blocks)
    free(block);
}

void lists(int rounds) {
  for (int r = 0; r < rounds; ++r) {
    std::list<int> values;
    for (int i = 0; i < 1000; ++i)
      values.push_back(i);
  }
}

void maps(int rounds) {
  for (int r = 0; r < rounds; ++r) {
    std::map<uint64_t, std::string> values;
    for (int i = 0; i < 1000; ++i)
      values.emplace(next() % 4000, "a string that is not short enough to stay inside");
    std::unordered_map<uint64_t, int> table;
    for (int i = 0; i < 1000; ++i)
      table[next() % 4000] = i;
  }
}

struct Node {
  std::unique_ptr<Node> left, right;
};
std::unique_ptr<Node> tree(int depth) {
  auto node = std::make_unique<Node>();
  if (depth > 0) {
    node->left = tree(depth - 1);
    node->right = tree(depth - 1);
  }
  return node;
}
void trees(int rounds, int depth) {
  for (int r = 0; r < rounds; ++r)
    tree(depth);
}

void vectors(int rounds) {
  for (int r = 0; r < rounds; ++r) {
    std::vector<uint64_t> values;
    for (uint64_t i = 0; i < 100000; ++i)
      values.push_back(i);
    sink = values.data();
  }
}

void queue(int count) {
  std::vector<void*> ring(256);
  for (int i = 0; i < count; ++i) {
    free(ring[i % 256]);
    ring[i % 256] = malloc(64);
  }
  for (void* block : ring)
    free(block);
}

/// CPU time, because the machine may be busy with other things; straight from the kernel, because
/// under the whole runtime clocks are virtual.
double now() {
  timespec time{};
  heddle::rt::rawSyscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, heddle::rt::asLong(&time));
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <typename Kernel> void measure(const char* name, Kernel kernel) {
  kernel();
  double best = 1e18;
  for (int i = 0; i < 5; ++i) {
    double begin = now();
    kernel();
    double nanos = now() - begin;
    best = nanos < best ? nanos : best;
  }
  printf("%s %.0f\n", name, best);
}

} // namespace

int main() {
  measure("pair-16", [] { pairs(16, 3000000); });
  measure("pair-64", [] { pairs(64, 3000000); });
  measure("pair-400", [] { pairs(400, 3000000); });
  measure("pair-4000", [] { pairs(4000, 1000000); });
  measure("queue-64", [] { queue(3000000); });
  measure("churn-100", [] { churn(100, 256, 2000000); });
  measure("churn-10000", [] { churn(10000, 256, 2000000); });
  measure("churn-large", [] { churn(50, 100000, 300000); });
  measure("list", [] { lists(1000); });
  measure("map", [] { maps(300); });
  measure("tree-12", [] { trees(100, 12); });
  measure("tree-18", [] { trees(2, 18); });
  measure("vector", [] { vectors(200); });
}
