// Two workers resize pictures that come from a queue.
#include "work_queue.h"

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

namespace {

std::atomic<int> resized{0};

void resize(const std::string& picture) { resized += picture.empty() ? 0 : 1; }

void work(WorkQueue<std::string>& queue) {
  while (auto picture = queue.pop())
    resize(*picture);
}

} // namespace

int main() {
  WorkQueue<std::string> queue;
  std::thread first(work, std::ref(queue));
  std::thread second(work, std::ref(queue));
  for (const char* picture : {"sunrise.png", "noon.png"})
    queue.push(picture);
  queue.close();
  first.join();
  second.join();
  std::printf("%d pictures\n", resized.load());
  return resized == 2 ? 0 : 1;
}
