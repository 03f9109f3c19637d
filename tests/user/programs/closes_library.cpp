// Loads libraries and closes them: closes_library rounds|threads|count|running N
#include <dlfcn.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" __attribute__((visibility("default"))) int destroyed = 0;

namespace {

using Call = int (*)();

Call find(void* library, const char* name) { return reinterpret_cast<Call>(dlsym(library, name)); }

void use(const char* file) {
  void* library = dlopen(file, RTLD_NOW);
  assert(library);
  assert(find(library, "callPlugin")() >= 3);
  dlclose(library);
}

/// Closes it when the program ends.
struct Holder {
  void* library = nullptr;
  ~Holder() {
    if (library)
      dlclose(library);
  }
} holder;

void rounds(int count) {
  for (int i = 0; i < count; ++i) {
    use("./one.so");
    use("./other.so");
  }
  assert(destroyed == 2 * count);
  holder.library = dlopen("./one.so", RTLD_NOW);
}

void threads(int count) {
  auto work = [=] {
    for (int i = 0; i < count; ++i)
      use(i % 2 ? "./one.so" : "./other.so");
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
}

void loseUpdate() {
  void* library = dlopen("./one.so", RTLD_NOW);
  Call count = find(library, "countInPlugin");
  std::thread first(count), second(count);
  first.join();
  second.join();
  int total = count();
  dlclose(library);
  assert(total == 3 && "an update was lost");
}

void closeWhileItRuns() {
  void* library = dlopen("./one.so", RTLD_NOW);
  std::thread worker(find(library, "workInPlugin"));
  dlclose(library);
  worker.join();
}

} // namespace

int main(int argc, char** argv) {
  int count = argc > 2 ? std::atoi(argv[2]) : 0;
  if (!std::strcmp(argv[1], "rounds"))
    rounds(count);
  if (!std::strcmp(argv[1], "threads"))
    threads(count);
  if (!std::strcmp(argv[1], "count"))
    loseUpdate();
  if (!std::strcmp(argv[1], "running"))
    closeWhileItRuns();
}
