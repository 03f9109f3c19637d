// Correct: mappings that follow each other at one address, from several threads, with mremap and
// MAP_FIXED.
#include <cassert>
#include <cstring>
#include <sys/mman.h>
#include <thread>
static void* get(size_t n) {
  void* p = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(p != MAP_FAILED);
  return p;
}
int main() {
  auto w = [](int id) {
    for (int i = 0; i < 4; i++) {
      size_t n = 4096 * (1 + (i + id) % 3);
      char* p = (char*)get(n);
      p[0] = id;
      p[n - 1] = id;
      assert(p[0] == id && p[n - 1] == id);
      char* q = (char*)mremap(p, n, n * 2, MREMAP_MAYMOVE);
      assert(q != MAP_FAILED);
      assert(q[0] == id && q[2 * n - 1] == 0);
      q[2 * n - 1] = id;
      munmap(q, 2 * n);
      char* r = (char*)get(16 * 4096);
      char* s = (char*)mmap(r + 4096, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      assert(s == r + 4096);
      s[1] = id;
      r[0] = id;
      munmap(r + 8192, 4096);
      assert(s[1] == id);
      munmap(r, 8192);
      munmap(r + 3 * 4096, 13 * 4096);
    }
  };
  std::thread a(w, 1), b(w, 2), c(w, 3);
  a.join();
  b.join();
  c.join();
}
