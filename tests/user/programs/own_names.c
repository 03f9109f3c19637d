/* Defines names of libc itself, as a program may: its own calls get its own functions and variables,
   and threads are controlled all the same. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

int link = 5;
static int sends, times, copies, lengths;

ssize_t send(int descriptor, const void* bytes, size_t count, int flags) {
  ++sends;
  return descriptor + (ssize_t)count + flags + (bytes != 0);
}

long time(long* result) {
  ++times;
  return result ? 1 : 42;
}

int raise(int signal) { return signal + 1; }

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length])
    ++length;
  ++lengths;
  return length;
}

void* memcpy(void* to, const void* from, size_t count) {
  for (size_t i = 0; i < count; ++i)
    ((char*)to)[i] = ((const char*)from)[i];
  ++copies;
  return to;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int addOne(void) {
  pthread_mutex_lock(&mutex);
  int before = counter;
  pthread_mutex_unlock(&mutex);
#ifndef CORRECT
  pthread_mutex_lock(&mutex);
  counter = before + 1;
  pthread_mutex_unlock(&mutex);
#endif
  return before;
}

static void* work(void* unused) {
  addOne();
  return unused;
}

int main(int argc, char** argv) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  char copy[256] = {0};
  memcpy(copy, argv[0], strlen(argv[0]) % sizeof copy);
  assert(send(1, copy, 3, 2) == 7 && time(0) == 42 && raise(6) == 7 && link == 5);
  assert(sends == argc && times == argc && copies == 1 && lengths == 1);
#ifndef CORRECT
  assert(counter == 2 && "an update was lost");
#endif
  return 0;
}
