// An audit trail that traces some events and not others. Each branch takes the lock for itself, and
// the lock is held when they meet at the update.
#include <pthread.h>
#include <stddef.h>

enum { TRAIL_LENGTH = 16 };

static pthread_mutex_t trail_lock = PTHREAD_MUTEX_INITIALIZER;
static int trail[TRAIL_LENGTH];
static int trail_length;
static int traced;

static void note_traced(void) {
  traced++; // NORACE
}

static void audit(int event) {
  if (event % 2 == 0) {
    pthread_mutex_lock(&trail_lock);
    note_traced();
  } else {
    event = -event;
    pthread_mutex_lock(&trail_lock);
  }
  if (trail_length < TRAIL_LENGTH) { // NORACE
    trail[trail_length] = event;     // NORACE
    trail_length++;                  // NORACE
  }
  pthread_mutex_unlock(&trail_lock);
}

static int traced_events(void) {
  pthread_mutex_lock(&trail_lock);
  int count = traced; // NORACE
  pthread_mutex_unlock(&trail_lock);
  return count;
}

static void *audit_requests(void *argument) {
  int first = *(const int *)argument;
  int before = traced_events();
  for (int event = first; event < first + 4; ++event)
    audit(event);
  return before <= 4 ? NULL : argument;
}

int main(void) {
  pthread_t threads[2];
  int first[2] = {10, 20};
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, audit_requests, &first[i]);
  void *failed = NULL;
  for (int i = 0; i < 2 && !failed; ++i)
    pthread_join(threads[i], &failed);
  return failed || trail_length != 8 ? 1 : 0; // NORACE
}
