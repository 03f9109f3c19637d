// Bug: one thread unmaps what the other one still writes to.
#include <cassert>
#include <sys/mman.h>
#include <thread>
int main() {
  int* p = (int*)mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::thread a([=] { p[100000] = 1; });
  std::thread b([=] { munmap(p, 1 << 20); });
  a.join();
  b.join();
}
