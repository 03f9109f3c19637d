// Correct: latches, semaphores, barriers, mutexes that end right after the last use, on stack and
// heap.
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <semaphore>
#include <thread>
static void onStack() {
  std::thread t;
  {
    std::latch l(1);
    t = std::thread([&l] { l.count_down(); });
    l.wait();
  }
  t.join();
}
static void onHeap() {
  std::thread t;
  {
    auto l = std::make_unique<std::latch>(1);
    t = std::thread([p = l.get()] { p->count_down(); });
    l->wait();
  }
  t.join();
}
static void semaphores() {
  std::thread t, u;
  {
    std::binary_semaphore s(0);
    t = std::thread([&s] { s.release(); });
    s.acquire();
  }
  {
    sem_t s;
    sem_init(&s, 0, 0);
    u = std::thread([&s] { sem_post(&s); });
    sem_wait(&s);
    sem_destroy(&s);
  }
  t.join();
  u.join();
}
static void condition() {
  std::thread t;
  {
    std::mutex m;
    std::condition_variable c;
    bool done = false;
    t = std::thread([&] {
      std::lock_guard<std::mutex> g(m);
      done = true;
      c.notify_all();
    });
    std::unique_lock<std::mutex> l(m);
    c.wait(l, [&] { return done; });
  }
  t.join();
}
static void broadcastDestroy() {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c;
  pthread_cond_init(&c, 0);
  int waiting = 0;
  bool go = false;
  auto w = [&] {
    pthread_mutex_lock(&m);
    ++waiting;
    while (!go)
      pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
  };
  std::thread a(w), b(w);
  for (;;) {
    pthread_mutex_lock(&m);
    if (waiting == 2)
      break;
    pthread_mutex_unlock(&m);
    std::this_thread::yield();
  }
  go = true;
  pthread_cond_broadcast(&c);
  pthread_cond_destroy(&c);
  pthread_mutex_unlock(&m);
  a.join();
  b.join();
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
}
static void barriers() {
  pthread_barrier_t b;
  pthread_barrier_init(&b, 0, 2);
  std::thread t([&] { pthread_barrier_wait(&b); });
  pthread_barrier_wait(&b);
  t.join();
  pthread_barrier_destroy(&b);
}
struct Counted {
  std::mutex m;
  int refs = 2;
};
static void refcount() {
  auto* c = new Counted;
  auto drop = [c] {
    bool last;
    {
      std::lock_guard<std::mutex> g(c->m);
      last = --c->refs == 0;
    }
    if (last)
      delete c;
  };
  std::thread t(drop);
  drop();
  t.join();
}
static void futures() {
  std::thread t;
  int v;
  {
    std::promise<int> p;
    auto f = p.get_future();
    t = std::thread([q = std::move(p)]() mutable { q.set_value(4); });
    v = f.get();
  }
  assert(v == 4);
  t.join();
}
int main() {
  onStack();
  onHeap();
  semaphores();
  condition();
  broadcastDestroy();
  barriers();
  refcount();
  futures();
}
