#pragma once

#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

/// The number that the program was given.
inline int sizeOf(int argc, char** argv) { return argc > 1 ? std::atoi(argv[1]) : 2; }

/// Makes a thread of each body, then joins all of them in order.
inline void runAll(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  threads.reserve(bodies.size());
  for (const auto& body : bodies)
    threads.emplace_back(body);
  for (std::thread& thread : threads)
    thread.join();
}
