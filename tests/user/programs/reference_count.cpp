// Two owners of a block; the last one deletes it.
#include <atomic>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_relaxed
#endif

struct Block {
  std::atomic<int> owners{2};
  int uses[2] = {0, 0};
};

static void use(Block* block, int who) {
  block->uses[who] = 1;                     // write
  if (block->owners.fetch_sub(1, ORDER) == 1) // update
    delete block; // free
}

int main() {
  auto* block = new Block;
  std::thread one(use, block, 0), other(use, block, 1);
  one.join();
  other.join();
}
