// n threads give blocks to inodes (Flanagan and Godefroid, POPL 2005).
#include "threads.h"

#include <mutex>

constexpr int kInodes = 32;
constexpr int kBlocks = 26;
std::mutex inodeLocks[kInodes];
std::mutex blockLocks[kBlocks];
int inodes[kInodes];
bool busy[kBlocks];

int main(int argc, char** argv) {
  std::vector<std::function<void()>> bodies;
  for (int t = 0; t < sizeOf(argc, argv); ++t)
    bodies.emplace_back([t] {
      int i = t % kInodes;
      std::lock_guard<std::mutex> inode(inodeLocks[i]);
      if (inodes[i] != 0)
        return;
      for (int b = 2 * i % kBlocks;; b = (b + 1) % kBlocks) {
        std::lock_guard<std::mutex> block(blockLocks[b]);
        if (busy[b])
          continue;
        busy[b] = true;
        inodes[i] = b + 1;
        return;
      }
    });
  runAll(bodies);
  return 0;
}
