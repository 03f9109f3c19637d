// Bug: a race through two addresses of one object.
#include <cassert>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
int main() {
  int fd = memfd_create("x", 0);
  assert(!ftruncate(fd, 4096));
  auto map = [&] { return (int*)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); };
  int *a = map(), *b = map();
  std::thread t([=] { a[5] = a[5] + 1; }), u([=] { b[5] = b[5] + 1; });
  t.join();
  u.join();
  assert(a[5] == 2);
}
