// Destructors of thread_local objects: newest first, in the thread's own TLS, before the
// destructors of keys; those of the main thread at exit.
#include "check.h"

#include <pthread.h>
#include <string>
#include <thread>

static std::string log;

struct Member {
  explicit Member(const char* name) : name(name) {}
  ~Member() { log += name; }
  std::string name;
  int uses = 0;
};

struct Late {
  ~Late();
};

static thread_local Member first("1");
static thread_local Member second("2");
static thread_local Member born("b");
static thread_local Late late;
static thread_local int plain = 7;

/// Makes another thread_local object while the thread's objects are destroyed.
Late::~Late() {
  log += "l";
  born.uses = 1;
}

static pthread_key_t key;

static void keyDestroyed(void* value) {
  log += static_cast<const char*>(value);
  CHECK_EQ(plain, 9); // still this thread's
}

static void body() {
  CHECK_EQ(plain, 7);
  plain = 9;
  CHECK_EQ(first.uses++, 0);
  CHECK_EQ(second.uses++, 0);
  (void)&late;
  [[maybe_unused]] Late* touch = &late;
  pthread_setspecific(key, "k");
}

static void* exiting(void*) {
  body();
  pthread_exit(nullptr);
}

static bool mainObjectDestroyed = false;
struct OfMain {
  bool used = false;
  ~OfMain() {
    CHECK(!mainObjectDestroyed);
    mainObjectDestroyed = used;
  }
};
static thread_local OfMain ofMain;

static void lastWord() {
  if (!mainObjectDestroyed)
    _exit(1);
}

int main() {
  atexit(lastWord);
  ofMain.used = true;
  pthread_key_create(&key, keyDestroyed);
  for (int round = 0; round < 20; ++round) {
    log.clear();
    std::thread(body).join();
    CHECK_EQ(log.find("k"), log.size() - 1);
    CHECK(log.find("2") < log.find("1"));
    CHECK(log.find("l") < log.size());
    CHECK(log.find("b") < log.find("k"));
    std::string normal = log;
    log.clear();
    pthread_t thread;
    pthread_create(&thread, nullptr, exiting, nullptr);
    pthread_join(thread, nullptr);
    CHECK(log == normal);
  }
  CHECK_EQ(plain, 7);
  return 0;
}
