// Correct: stacks from malloc, mmap, static memory; deep recursion, exceptions, thread_local,
// pthread_exit.
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <sys/mman.h>
static std::mutex m;
static int sum;
thread_local int mine = 7;
struct Arg {
  char* low;
  size_t n;
};
static int deep(int n) {
  volatile char pad[64];
  pad[0] = n;
  return n == 0 ? 0 : 1 + deep(n - 1) + (pad[0] & 0);
}
static void* run(void* p) {
  Arg* a = (Arg*)p;
  char here;
  assert(&here > a->low && &here < a->low + a->n);
  mine++;
  assert(mine == 8);
  try {
    if (deep(50) == 50)
      throw std::runtime_error("x");
  } catch (std::exception&) {
    std::lock_guard<std::mutex> g(m);
    sum++;
  }
  pthread_attr_t at;
  pthread_getattr_np(pthread_self(), &at);
  void* low;
  size_t n;
  pthread_attr_getstack(&at, &low, &n);
  assert(&here > (char*)low && &here < (char*)low + n);
  assert((char*)low >= a->low && (char*)low + n <= a->low + a->n);
  pthread_attr_destroy(&at);
  if (a->n == 0)
    return p;
  pthread_exit(p);
}
alignas(4096) static char fixed[1 << 17];
int main() {
  for (int round = 0; round < 2; round++) {
    size_t n = 1 << 17;
    void* h;
    assert(!posix_memalign(&h, 4096, n));
    void* mm = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Arg args[3] = {{(char*)h, n}, {(char*)mm, n}, {fixed, n}};
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
      pthread_attr_t a;
      pthread_attr_init(&a);
      assert(!pthread_attr_setstack(&a, args[i].low, n));
      assert(!pthread_create(&t[i], &a, run, &args[i]));
      pthread_attr_destroy(&a);
    }
    for (auto x : t)
      pthread_join(x, nullptr);
    free(h);
    munmap(mm, n);
  }
  assert(sum == 6);
}
