// Timers that call a function with the pointer that was registered with it. Each timer was given a
// counter of its own, though the function and the place of the call are the same.
#include <pthread.h>
#include <stddef.h>

typedef void (*timer_callback)(void *user);

struct timer {
  pthread_t thread;
  timer_callback callback;
  void *user;
  int ticks;
};

struct counter {
  int fired;
  int missed;
};

static struct timer timers[3];
static int timer_count;

static void timer_register(timer_callback callback, void *user, int ticks) {
  struct timer *timer = &timers[timer_count++]; // NORACE
  timer->callback = callback;                   // NORACE
  timer->user = user;                           // NORACE
  timer->ticks = ticks;                         // NORACE
}

static void count_tick(void *user) {
  struct counter *counter = user;
  counter->fired++; // NORACE
}

static void skip_tick(void *user) {
  struct counter *counter = user;
  counter->missed++; // NORACE
}

static void *run_timer(void *argument) {
  struct timer *timer = argument;
  while (timer->ticks-- > 0)      // NORACE
    timer->callback(timer->user); // NORACE
  return NULL;
}

int main(void) {
  struct counter frames = {0, 0}, sounds = {0, 0};
  timer_register(count_tick, &frames, 5);
  timer_register(count_tick, &sounds, 7);
  timer_register(skip_tick, &frames, 2);
  for (int i = 0; i < timer_count; ++i)
    pthread_create(&timers[i].thread, NULL, run_timer, &timers[i]);
  for (int i = 0; i < timer_count; ++i)
    pthread_join(timers[i].thread, NULL);
  return frames.fired == 5 && sounds.fired == 7 && frames.missed == 2 ? 0 : 1; // NORACE
}
