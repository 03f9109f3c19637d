#include "families.h"

#include <vector>

namespace heddle::explore::test {

namespace {

constexpr int kX = 100;
constexpr int kY = 200;

std::string number(int value) { return std::to_string(value); }
std::string reading(const char* where, const std::string& address) {
  return std::string("read ") + where + " " + address + " 8\n";
}
std::string writing(const std::string& address, const std::string& value) {
  return "write " + address + " 8 " + value + "\n";
}

/// Main makes the threads, joins them, and goes on with `after`.
std::string program(const std::vector<std::string>& threads, const std::string& after = "") {
  std::string text = "thread 0\n";
  for (size_t i = 1; i <= threads.size(); ++i)
    text += "spawn " + std::to_string(i) + "\n";
  for (size_t i = 1; i <= threads.size(); ++i)
    text += "join " + std::to_string(i) + "\n";
  text += after;
  for (size_t i = 1; i <= threads.size(); ++i)
    text += "thread " + std::to_string(i) + "\n" + threads[i - 1];
  return text;
}

std::string adding(int address, const std::string& amount) {
  return reading("r0", number(address)) + writing(number(address), "r0+" + amount);
}

/// The end of the figures' programs: main compares the accounts.
std::string comparing(bool readAfter) {
  if (!readAfter)
    return "";
  return reading("r1", number(kX)) + reading("r2", number(kY)) + "assert r1 == r2\n";
}

std::vector<std::string> accountThreads() {
  return {"lock 1\n" + adding(kX, "10") + "unlock 1\nlock 2\n" + adding(kY, "10") + "unlock 2\n",
          "lock 2\n" + adding(kX, "-10") + reading("r1", number(kY)) + "if r1 < 0 1\n" +
              writing(number(kX), "0") + "unlock 2\nlock 2\n" + adding(kY, "-10") + "unlock 2\n"};
}

} // namespace

std::string readers(int n) {
  std::vector<std::string> threads{writing(number(kX), "42")};
  threads.insert(threads.end(), static_cast<size_t>(n), reading("r0", number(kX)));
  return program(threads);
}

std::string writers(int n, bool readAfter) {
  std::vector<std::string> threads;
  for (int i = 1; i <= n; ++i)
    threads.push_back(writing(number(kX), number(i)));
  return program(threads, readAfter ? reading("r0", number(kX)) : "");
}

std::string floatingRead(int n) {
  std::vector<std::string> threads;
  for (int i = 1; i <= n; ++i)
    threads.push_back(writing(number(kX), number(i)));
  threads.push_back(reading("r0", number(kX)));
  return program(threads);
}

std::string lastZero(int n) {
  std::vector<std::string> threads;
  threads.push_back("set r1 " + number(kX + 8 * n) + "\n" + reading("r0", "r1") +
                    "if r0 != 0 2\nset r1 r1+-8\nback 3\n");
  for (int j = 1; j <= n; ++j)
    threads.push_back(reading("r0", number(kX + 8 * (j - 1))) +
                      writing(number(kX + 8 * j), "r0+1"));
  return program(threads);
}

std::string increments(int n) {
  return program(std::vector<std::string>(static_cast<size_t>(n), adding(kX, "1")));
}

std::string atomicIncrements(int n) {
  return program(std::vector<std::string>(static_cast<size_t>(n), "add r0 100 8 1\n"));
}

std::string lockedIncrements(int n) {
  return program(std::vector<std::string>(static_cast<size_t>(n),
                                          "lock 1\n" + adding(kX, "1") + "unlock 1\n"));
}

std::string fibonacci(int n) {
  std::string first;
  std::string second;
  for (int i = 0; i < n; ++i) {
    first += reading("r0", number(kX)) + reading("r1", number(kY)) + writing(number(kX), "r0+r1");
    second += reading("r0", number(kY)) + reading("r1", number(kX)) + writing(number(kY), "r0+r1");
  }
  return "init 100 1\ninit 200 1\n" +
         program({first, second, reading("r0", number(kX)) + reading("r1", number(kY))});
}

std::string philosophers(int n) {
  std::vector<std::string> threads;
  for (int k = 0; k < n; ++k) {
    std::string left = number(1 + k);
    std::string right = number(1 + (k + 1) % n);
    threads.push_back("lock " + left + "\nlock " + right + "\nunlock " + right + "\nunlock " +
                      left + "\n");
  }
  return program(threads);
}

std::string reorder(int n) {
  std::vector<std::string> threads(static_cast<size_t>(n),
                                   writing(number(kX), "1") + writing(number(kY), "-1"));
  threads.push_back(reading("r0", number(kX)) + reading("r1", number(kY)) + "write 300 8 r0\n" +
                    "write 400 8 r1\n");
  return program(threads, "read r0 300 8\nread r1 400 8\n");
}

std::string indexer(int n) {
  std::vector<std::string> threads;
  for (int t = 0; t < n; ++t) {
    std::string code;
    for (int m = 0; m < 4; ++m) {
      int w = 11 * m + t;
      code += "set r1 " + number(7 * w % 128) + "\ncas r0 r1 1 0 " + number(w) +
              "\nif r0 == 0 3\nset r1 r1+1\nmod r1 r1 128\nback 4\n";
    }
    threads.push_back(code);
  }
  return program(threads);
}

std::string filesystem(int n) {
  std::vector<std::string> threads;
  for (int t = 0; t < n; ++t) {
    std::string inode = number(t % 32);
    std::string lock = number(1000 + t % 32);
    threads.push_back("lock " + lock + "\nread r0 " + inode + " 1\nif r0 == 0 12\nset r1 " +
                      number(2 * (t % 32) % 26) +
                      "\nlock r1+2000\nread r0 r1+500 1\nif r0 == 0 4\nwrite r1+500 1 1\nwrite " +
                      inode + " 1 r1+1\nunlock r1+2000\nset r2 1\nif r0 != 0 4\nunlock r1+2000\n" +
                      "set r1 r1+1\nmod r1 r1 26\nback 11\nunlock " + lock + "\n");
  }
  return program(threads);
}

std::string figure51(bool readAfter) { return program(accountThreads(), comparing(readAfter)); }

std::string figure518(bool readAfter) {
  auto threads = accountThreads();
  threads.push_back(writing(number(kY), "-999"));
  return program(threads, comparing(readAfter));
}

std::string figure69(bool readAfter) {
  return program({adding(kX, "-10") + adding(kX, "-10"), adding(kX, "10")},
                 readAfter ? reading("r1", number(kX)) : "");
}

std::string figure610(bool readAfter) {
  return program({adding(kX, "-10") + adding(kX, "-10"), adding(kX, "10") + adding(kX, "10")},
                 readAfter ? reading("r1", number(kX)) : "");
}

} // namespace heddle::explore::test
