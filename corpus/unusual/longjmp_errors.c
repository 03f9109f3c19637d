// Errors by longjmp: each thread parses its messages with a jump buffer of its own, and what it has
// locked and allocated is noted so that the handler of the error gives it back.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

enum { kThreads = 3 };

struct parser {
  jmp_buf on_error;
  int locked;
  char* buffer;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long accepted, refused;
static int rounds = 20000;

static void fail(struct parser* parser) { longjmp(parser->on_error, 1); }

static void parse_body(struct parser* parser, int depth, int message) {
  char padding[32] = {(char)message};
  if (depth > 0) {
    parse_body(parser, depth - 1, message + padding[0] * 0);
    return;
  }
  pthread_mutex_lock(&mutex);
  parser->locked = 1;
  if (message % 5 == 0)
    fail(parser);
  ++accepted;
  parser->locked = 0;
  pthread_mutex_unlock(&mutex);
}

static void parse(struct parser* parser, int message) {
  parser->locked = 0;
  parser->buffer = malloc(16);
  if (setjmp(parser->on_error)) {
    if (!parser->locked)
      pthread_mutex_lock(&mutex);
    ++refused;
    pthread_mutex_unlock(&mutex);
    free(parser->buffer);
    return;
  }
  if (message % 7 == 0)
    fail(parser);
  parse_body(parser, message % 4, message);
  free(parser->buffer);
}

static void* run(void* argument) {
  struct parser parser;
  (void)argument;
  for (int i = 0; i < rounds; ++i)
    parse(&parser, i);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  long bad = 0;
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < rounds; ++i)
    bad += i % 5 == 0 || i % 7 == 0;
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(refused == kThreads * bad);
  assert(accepted + refused == (long)kThreads * rounds);
  return 0;
}
