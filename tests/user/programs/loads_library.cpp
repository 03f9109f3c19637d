#include <dlfcn.h>

#include <cassert>
#include <thread>

int main() {
  void* library = dlopen("./liblibrary.so", RTLD_NOW);
  auto add = reinterpret_cast<void (*)()>(dlsym(library, "add"));
  auto value = reinterpret_cast<int (*)()>(dlsym(library, "value"));
  std::thread first(add), second(add);
  first.join();
  second.join();
  assert(value() == 2);
}
