// Correct: mremap with an old size of 0 maps shared memory once more; its mutex is one mutex, also
// after the first mapping is gone.
#include <cassert>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
struct Counter {
  pthread_mutex_t mutex;
  int value;
  int filler;
};
static void count(Counter* lock, Counter* data) {
  pthread_mutex_lock(&lock->mutex);
  data->value = data->value + 1;
  pthread_mutex_unlock(&data->mutex);
}
static Counter* again(Counter* first) {
  void* second = mremap(first, 0, 4096, MREMAP_MAYMOVE);
  assert(second != MAP_FAILED && second != first);
  return static_cast<Counter*>(second);
}
static void use(Counter* first) {
  pthread_mutex_init(&first->mutex, nullptr);
  Counter* second = again(first);
  std::thread a([=] { count(first, second); }), b([=] { count(second, first); });
  a.join();
  b.join();
  assert(first->value == 2 && second->value == 2);
  Counter* third = again(second);
  munmap(first, 4096);
  std::thread c([=] { count(second, third); }), d([=] { count(third, second); });
  c.join();
  d.join();
  assert(third->value == 4);
  munmap(second, 4096);
  munmap(third, 4096);
}
int main() {
  constexpr int kAll = PROT_READ | PROT_WRITE;
  use(static_cast<Counter*>(mmap(nullptr, 4096, kAll, MAP_SHARED | MAP_ANONYMOUS, -1, 0)));
  int file = memfd_create("counter", 0);
  assert(ftruncate(file, 4096) == 0);
  use(static_cast<Counter*>(mmap(nullptr, 4096, kAll, MAP_SHARED, file, 0)));
  close(file);
}
