// What was done before a promise is kept is seen by who waited for it, also through a pointer to a
// member and with launch::async.
// RACY: promise.set_value(2); => promise.set_value(2); filled = 2;
// RACY: int sum = future.get() + box.filled; => int sum = box.filled; sum += future.get();
// RACY: task.wait(); => sum += answer; task.wait();
#include <future>
#include <thread>

struct Box {
  int filled = 0;
  void fill(std::promise<int> promise) {
    filled = 1;
    promise.set_value(2);
  }
};

int main() {
  Box box;
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread thread(&Box::fill, &box, std::move(promise));
  int sum = future.get() + box.filled;
  thread.join();
  int answer = 0;
  std::future<void> task = std::async(std::launch::async, [&answer] { answer = 4; });
  task.wait();
  return sum + answer;
}
