#include <cassert>
#include <mutex>
#include <sys/mman.h>
#include <thread>
// each thread maps, writes, unmaps on its own: the kernel hands the same address to the next
int main() {
  auto w = [] {
    for (int i = 0; i < 2; i++) {
      int* p = (int*)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      p[0] = i + 1;
      assert(p[0] == i + 1);
      munmap(p, 4096);
    }
  };
  std::thread a(w), b(w);
  a.join();
  b.join();
}
