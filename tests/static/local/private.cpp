// What a thread has for itself. `local`: all accesses on the line are to memory that no other
// thread can know; `not local`: none of them may be called that.
#include <cstddef>
#include <thread>
#include <vector>

namespace {

long published = 0;

struct Node {
  long value = 0;
  Node* next = nullptr;
};

long sumOf(const std::vector<long>& values) {
  long sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += values.data()[i]; // local
  return sum;
}

void work(long seed) {
  std::vector<long> own(64, seed);
  long* data = own.data();
  for (int round = 0; round < 10; ++round)
    data[round] += data[63 - round]; // local
  long table[16];
  for (long& each : table)
    each = seed;                // local
  table[seed & 15] += table[3]; // local
  auto* node = new Node;
  node->next = new Node;                     // local
  node->next->value = sumOf(own) + table[1]; // local
  delete node->next;
  delete node;
  published += 1; // not local
}

} // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  return published == 2 ? 0 : 1;
}
