// Correct: a mutex and an atomic that are used through two addresses.
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
struct S {
  pthread_mutex_t m;
  int v;
  std::atomic<int> f;
  int d;
};
int main() {
  int fd = memfd_create("x", 0);
  assert(!ftruncate(fd, 4096));
  S *a = (S*)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
    *b = (S*)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setpshared(&at, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&a->m, &at);
  auto w = [](S* s, S* o) {
    for (int i = 0; i < 3; i++) {
      pthread_mutex_lock(&s->m);
      o->v = o->v + 1;
      pthread_mutex_unlock(&s->m);
    }
  };
  std::thread x(w, a, a), y(w, b, a);
  std::thread p([=] {
    a->d = 3;
    a->f.store(1);
  }),
      q([=] {
        while (!b->f.load())
          std::this_thread::yield();
        assert(a->d == 3);
        a->d = 4;
      });
  x.join();
  y.join();
  p.join();
  q.join();
  assert(a->v == 6 && b->d == 4);
}
