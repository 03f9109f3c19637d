// Lookups count themselves, but they hold the lock for reading only.
#include <shared_mutex>
#include <thread>

std::shared_mutex table_lock;
int lookups;

static void look() {
  std::shared_lock guard(table_lock);
  ++lookups; // count
}

int main() {
  std::thread one(look), other(look);
  one.join();
  other.join();
}
