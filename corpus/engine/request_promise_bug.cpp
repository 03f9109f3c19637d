// A request that is completed either by its reply or by its deadline, through a std::promise. The
// flag that should keep the second one out is tested and set in two steps, so both can pass the
// test; the second set_value throws std::future_error in a thread that does not catch it.
#include <atomic>
#include <cassert>
#include <future>
#include <thread>

class Request {
public:
  std::future<int> status() { return status_.get_future(); }

  void complete(int status) {
    if (completed_.load())
      return;
    completed_.store(true);
    status_.set_value(status); // EXPECT: exception
  }

private:
  std::promise<int> status_;
  std::atomic<bool> completed_{false};
};

int main() {
  Request request;
  std::future<int> status = request.status();
  std::thread reply([&] { request.complete(200); });
  std::thread deadline([&] { request.complete(504); });
  int value = status.get();
  reply.join();
  deadline.join();
  assert(value == 200 || value == 504);
}
