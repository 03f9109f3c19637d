// A request that is completed either by its reply or by its deadline, through a std::promise. One
// atomic exchange tests and sets the flag, so exactly one of the two threads fulfils the promise.
#include <atomic>
#include <cassert>
#include <future>
#include <thread>

class Request {
public:
  std::future<int> status() { return status_.get_future(); }

  void complete(int status) {
    if (completed_.exchange(true))
      return;
    status_.set_value(status); // NORACE
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
  int value = status.get(); // NORACE
  reply.join();
  deadline.join();
  assert(value == 200 || value == 504);
}
