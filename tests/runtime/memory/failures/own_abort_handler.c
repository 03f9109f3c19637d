// EXPECT: assertion "Assertion `argc == 9' failed."
#undef NDEBUG
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static void last_words(int signal) {
  (void)signal;
  write(2, "last words\n", 11);
}

int main(int argc, char** argv) {
  (void)argv;
  signal(SIGABRT, last_words);
  assert(argc == 9);
}
