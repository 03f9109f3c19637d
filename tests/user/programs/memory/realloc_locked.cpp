// Correct: a buffer that grows under a lock; others read it under the lock.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
static std::mutex m;
static int* p;
static int n;
int main() {
  p = (int*)malloc(sizeof(int));
  auto w = [] {
    for (int i = 0; i < 20; i++) {
      std::lock_guard<std::mutex> g(m);
      p = (int*)realloc(p, sizeof(int) * (n + 1));
      p[n] = n;
      n++;
      int s = 0;
      for (int k = 0; k < n; k++)
        s += p[k];
      assert(s == n * (n - 1) / 2);
    }
  };
  std::thread a(w), b(w), c(w);
  a.join();
  b.join();
  c.join();
  assert(n == 60);
  free(p);
}
