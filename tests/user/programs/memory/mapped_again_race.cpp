// Bug: a race through the second address that mremap with an old size of 0 gave to an object.
#include <cassert>
#include <sys/mman.h>
#include <thread>
int main() {
  constexpr int kAll = PROT_READ | PROT_WRITE;
  int* first = static_cast<int*>(mmap(nullptr, 4096, kAll, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int* second = static_cast<int*>(mremap(first, 0, 4096, MREMAP_MAYMOVE));
  assert(second != MAP_FAILED);
  std::thread a([=] { first[5] = first[5] + 1; }), b([=] { second[5] = second[5] + 1; });
  a.join();
  b.join();
  assert(first[5] == 2);
}
