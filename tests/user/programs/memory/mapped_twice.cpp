// Correct: condition variable, rwlock, semaphore and futex in memory that is mapped three times.
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
struct S {
  pthread_mutex_t m;
  pthread_cond_t c;
  sem_t s;
  pthread_rwlock_t r;
  pthread_barrier_t b;
  std::atomic<int> f;
  int v, w, x, y;
};
int main() {
  int fd = memfd_create("x", 0);
  assert(!ftruncate(fd, 8192));
  auto map = [&] { return (S*)mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); };
  S *a = map(), *b = map(), *d = map();
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setpshared(&at, 1);
  pthread_mutex_init(&a->m, &at);
  pthread_condattr_t ca;
  pthread_condattr_init(&ca);
  pthread_condattr_setpshared(&ca, 1);
  pthread_cond_init(&b->c, &ca);
  sem_init(&d->s, 1, 0);
  pthread_rwlock_init(&a->r, 0);
  pthread_barrier_init(&b->b, 0, 2);
  std::thread t([=] {
    pthread_mutex_lock(&a->m);
    a->v = 1;
    pthread_cond_signal(&d->c);
    pthread_mutex_unlock(&b->m);
    b->w = 2;
    sem_post(&a->s);
    pthread_rwlock_wrlock(&a->r);
    a->x++;
    pthread_rwlock_unlock(&d->r);
    pthread_barrier_wait(&a->b);
    d->f = 1;
    d->f.notify_one();
  });
  pthread_mutex_lock(&d->m);
  while (!d->v)
    pthread_cond_wait(&a->c, &b->m);
  pthread_mutex_unlock(&a->m);
  sem_wait(&b->s);
  assert(d->w == 2);
  pthread_rwlock_wrlock(&b->r);
  b->x++;
  pthread_rwlock_unlock(&b->r);
  pthread_barrier_wait(&d->b);
  a->f.wait(0);
  assert(d->x == 2);
  t.join();
  munmap(a, 8192);
  assert(b->v == 1);
  munmap(b, 8192);
  munmap(d, 8192);
  close(fd);
}
