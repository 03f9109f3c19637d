// A misuse of boost::asio::thread_pool: tasks that share a counter run in two threads without a
// strand.
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cassert>

int main() {
  boost::asio::thread_pool pool(2);
  int counter = 0;
  for (int i = 0; i < 3; ++i)
    boost::asio::post(pool, [&] { ++counter; });
  pool.join();
  assert(counter == 3); // EXPECT: assertion
}
