// Correct: memory of argv[2] megabytes, of which a page or two are touched. argv[1]: how it is
// made.
#include <cassert>
#include <cstdlib>
#include <sys/mman.h>
#include <thread>
int main(int c, char** a) {
  int k = atoi(a[1]);
  size_t n = (size_t)atol(a[2]) << 20;
  auto f = [=] {
    if (k == 0) {
      char* p = (char*)malloc(n);
      p[0] = 1;
      p[n / 2] = 1;
      free(p);
    }
    if (k == 1) {
      char* q = (char*)mmap(0, n, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      assert(q != MAP_FAILED);
      q[n / 2] = 1;
      munmap(q, n);
    }
    if (k == 2) {
      char* p = (char*)calloc(n, 1);
      p[n / 2] = 1;
      free(p);
    }
    if (k == 3) {
      char* p = (char*)malloc(n);
      p = (char*)realloc(p, n + 4096);
      free(p);
    }
  };
  std::thread t(f), u(f);
  t.join();
  u.join();
}
