// Memory that is mapped shared before main: every run finds it as it was then.
#include <cassert>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace {

int* map(int flags, int descriptor) {
  void* memory = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, flags, descriptor, 0);
  assert(memory != MAP_FAILED);
  return static_cast<int*>(memory);
}

int* mapFile() {
  int descriptor = memfd_create("counter", 0);
  assert(ftruncate(descriptor, 4096) == 0);
  int* memory = map(MAP_SHARED, descriptor);
  close(descriptor);
  *memory = 7;
  return memory;
}

int* const anonymous = map(MAP_SHARED | MAP_ANONYMOUS, -1);
int* const file = mapFile();
std::mutex mutex;

void add() {
  std::lock_guard lock(mutex);
  ++*anonymous;
  ++*file;
}

} // namespace

int main() {
  assert(*anonymous == 0 && *file == 7);
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(*anonymous == 2 && *file == 9);
}
