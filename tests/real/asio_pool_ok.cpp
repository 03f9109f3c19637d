// boost::asio::thread_pool: tasks of one strand never overlap, and join() waits for all.
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cassert>

int main() {
  boost::asio::thread_pool pool(2);
  auto strand = boost::asio::make_strand(pool);
  int counter = 0;
  for (int i = 0; i < 3; ++i)
    boost::asio::post(strand, [&] { ++counter; });
  pool.join();
  assert(counter == 3);
}
