// A container of locks is a container: looking a lock up needs an order of its own.
// RACY: std::lock_guard<std::mutex> outer(all); => (void)all;
#include <map>
#include <mutex>
#include <thread>

static std::mutex all;
static std::map<int, std::mutex> locks;

static void use(int key) {
  std::lock_guard<std::mutex> outer(all);
  locks[key];
}

int main() {
  std::thread one(use, 1), other(use, 2);
  one.join();
  other.join();
}
