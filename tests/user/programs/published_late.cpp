// Crashes whenever the second thread is quicker than the first one: already while it is recorded.
#include <thread>

static int cell;
static int *where;

int main() {
  std::thread publisher([] { where = &cell; });         // write
  std::thread user([] { *const_cast<int volatile *>(where) = 1; }); // read
  publisher.join();
  user.join();
}
