// A queue of work from which its owner takes at one end and a thief at the other. The owner does
// not look again after it has moved its end: both can take the last item.
#include "threads.h"

#include <atomic>
#include <cassert>

constexpr int kItems = 4;
std::atomic<int> head = 0;
std::atomic<int> tail = 0;
std::atomic<int> items[kItems];
std::atomic<int> taken[kItems];

static void push(int item) {
  items[tail % kItems] = item;
  ++tail;
}

static void take() {
  int last = tail - 1;
  tail = last;
  if (head > last) {
    tail = last + 1;
    return;
  }
  ++taken[items[last % kItems]]; // one that is the last may be on its way to the thief
}

static void steal() {
  int first = head;
  if (first >= tail)
    return;
  int item = items[first % kItems];
  if (head.compare_exchange_strong(first, first + 1))
    ++taken[item];
}

int main() {
  for (int i = 0; i < kItems; ++i)
    push(i);
  runAll({[] {
            for (int i = 0; i < kItems; ++i)
              take();
          },
          [] {
            for (int i = 0; i < kItems; ++i)
              steal();
          }});
  for (auto& count : taken)
    assert(count <= 1 && "an item was taken twice");
  return 0;
}
