// A detached thread reads a global table while the process takes it down.
#include <string>
#include <thread>
#include <vector>

static std::vector<std::string> names(3, "a name that is too long to be kept in the string itself");

static void watch() {
  for (int i = 0; i < 30; ++i) {
    volatile size_t length = names[i % 3].size(); // the read
    (void)length;
    std::this_thread::yield();
  }
}

int main() {
  std::thread(watch).detach();
  std::thread worker([] {});
  worker.join();
}
