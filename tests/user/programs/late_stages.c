// Nothing races, for reasons that the late stages of the static analysis know.
#include <pthread.h>

static int before, after, parts[4];

static void* once(void* unused) {
  (void)unused;
  after = before;
  return 0;
}

static void* part(void* own) {
  ++*(int*)own;
  return 0;
}

int main(void) {
  pthread_t one, many[4];
  before = 1;
  pthread_create(&one, 0, once, 0);
  pthread_join(one, 0);
  int result = after;
  for (int i = 0; i < 4; ++i)
    pthread_create(&many[i], 0, part, &parts[i]);
  for (int i = 0; i < 4; ++i)
    pthread_join(many[i], 0);
  return result + parts[0];
}
