// Threads that wait for each other in spin_library.c, in inline assembly, or in loops that are no
// spin loops for the compiler's plugin. The first argument says how, the second how often.
#include <atomic>
#include <cassert>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <sys/time.h>
#include <thread>
#include <vector>

extern "C" {
void libraryLock();
void libraryUnlock();
void waitFor(const volatile int* flag);
long countUntil(const volatile int* flag);
long meet(int threads);
void compute(long rounds);
}

namespace {

constexpr int kThreads = 4;
int rounds = 10;
volatile int flag;
volatile int word;
int guarded;
std::atomic<int> steps;
struct {
  volatile bool ready;
  volatile long spins;
} state;

void assemblyLock() {
  asm volatile(
      "1: movl $1, %%eax\n xchgl %%eax, %0\n testl %%eax, %%eax\n jz 2f\n pause\n jmp 1b\n2:"
      : "+m"(word)
      :
      : "eax", "memory", "cc");
}
void assemblyUnlock() { asm volatile("movl $0, %0" : "+m"(word) : : "memory"); }

void together(const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(body, i);
  for (std::thread& thread : threads)
    thread.join();
}

void lastOneSetsFlag(long (*wait)(const volatile int*)) {
  together([=](int i) {
    if (i == kThreads - 1)
      flag = 1;
    else
      wait(&flag);
  });
}

void count(void (*lock)(), void (*unlock)()) {
  together([=](int) {
    for (int i = 0; i < rounds; ++i) {
      lock();
      ++guarded;
      steps.fetch_add(1);
      unlock();
    }
  });
  assert(guarded == kThreads * rounds);
}

void onAlarm(int) { flag = 1; }

const std::map<std::string, void (*)()> kWays = {
    {"flag", [] { lastOneSetsFlag([](const volatile int* f) { return waitFor(f), 0L; }); }},
    {"counted", [] { lastOneSetsFlag(countUntil); }},
    {"library", [] { count(libraryLock, libraryUnlock); }},
    {"assembly", [] { count(assemblyLock, assemblyUnlock); }},
    {"barrier",
     [] {
       together([](int) {
         for (int i = 0; i < rounds; ++i)
           meet(kThreads);
       });
     }},
    {"member",
     [] {
       together([](int i) {
         if (i == kThreads - 1)
           state.ready = true;
         while (!state.ready)
           state.spins = state.spins + 1;
       });
     }},
    {"sleeper",
     [] {
       std::thread waits([] { waitFor(&flag); });
       std::thread sleeps([] {
         std::this_thread::sleep_for(std::chrono::milliseconds(20));
         flag = 1;
       });
       waits.join();
       sleeps.join();
     }},
    {"alarm",
     [] {
       signal(SIGALRM, onAlarm);
       itimerval soon{{0, 0}, {0, 10000}};
       setitimer(ITIMER_REAL, &soon, nullptr);
       std::thread waits([] { waitFor(&flag); });
       waits.join();
     }},
    {"compute",
     [] {
       std::thread computes([] { compute(rounds); });
       std::thread other([] { steps.fetch_add(1); });
       computes.join();
       other.join();
     }},
    // Only who had to wait for the lock fails.
    {"failure",
     [] {
       std::thread one([] { assemblyLock(), steps = 1, steps = 0, assemblyUnlock(); });
       std::thread two([] {
         bool locked = steps.load() == 1;
         assemblyLock();
         assemblyUnlock();
         assert(!locked);
       });
       one.join();
       two.join();
     }},
    {"for-ever",
     [] {
       for (;;)
         asm volatile("");
     }},
};

} // namespace

int main(int argc, char** argv) {
  if (argc > 2)
    rounds = atoi(argv[2]);
  kWays.at(argv[1])();
  puts("ended");
}
