// The position of a vehicle, updated by a receiver. The recorder copies the whole struct by
// assignment without the lock; the display copies it by memcpy under the lock.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct position {
  double latitude;
  double longitude;
  int satellites;
};

static pthread_mutex_t position_lock = PTHREAD_MUTEX_INITIALIZER;
static struct position current;

static void set_position(double latitude, double longitude) {
  struct position next = {latitude, longitude, 7};
  pthread_mutex_lock(&position_lock);
  memcpy(&current, &next, sizeof current); // RACE!
  pthread_mutex_unlock(&position_lock);
}

static void *receive(void *argument) {
  for (int i = 1; i <= 5; ++i)
    set_position(50.0 + i, 8.0 + i);
  return argument;
}

static void *record(void *argument) {
  struct position *track = argument;
  for (int i = 0; i < 3; ++i) {
    track[i] = current;          // RACE!
    if (track[i].satellites < 0) // NORACE
      track[i].latitude = 0;     // NORACE
  }
  return NULL;
}

static void *display(void *argument) {
  double *shown = argument;
  struct position copy;
  pthread_mutex_lock(&position_lock);
  memcpy(&copy, &current, sizeof copy); // NORACE
  pthread_mutex_unlock(&position_lock);
  *shown = copy.latitude; // NORACE
  return NULL;
}

int main(void) {
  pthread_t receiver, recorder, screen;
  struct position track[3];
  double shown = 0;
  set_position(50.0, 8.0);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_create(&recorder, NULL, record, track);
  pthread_create(&screen, NULL, display, &shown);
  pthread_join(receiver, NULL);
  pthread_join(recorder, NULL);
  pthread_join(screen, NULL);
  return shown >= 50.0 && track[2].latitude >= 0 ? 0 : 1; // NORACE
}
