// Functions of a library that is loaded when it is needed: threads load it, look a function up,
// call it and unload it again; the loader counts, and the library stays while somebody has it.
#include <assert.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 3 };

typedef double (*function)(double);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double total;
static int rounds = 1000;

static double evaluate(const char* name, double argument) {
  void* library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  assert(library != NULL);
  function called;
  *(void**)&called = dlsym(library, name);
  assert(called != NULL);
  double result = called(argument);
  assert(dlclose(library) == 0);
  return result;
}

static void* work(void* argument) {
  const char* name = argument;
  for (int i = 0; i < rounds; ++i) {
    double result = evaluate(name, 4.0);
    pthread_mutex_lock(&mutex);
    total += result;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  const char* names[kThreads] = {"sqrt", "cbrt", "log2"};
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, (void*)names[i]);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  // The square root and the logarithm of 4 are 2, and the cube root is about 1.587.
  assert(total / rounds > 5.58 && total / rounds < 5.60);
  return 0;
}
