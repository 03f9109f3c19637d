// Stations of a conveyor belt in a global array, each with a lock. A station takes parts out under
// its own lock, and puts them into the next one under the lock of the next one.
#include <pthread.h>
#include <stddef.h>

enum { STATIONS = 3 };

struct station {
  pthread_mutex_t lock;
  int stock;
  int handled;
};

static struct station belt[STATIONS];

static void hand_over(int index) {
  struct station *station = &belt[index];
  struct station *next = &belt[(index + 1) % STATIONS];
  int parts = 0;
  pthread_mutex_lock(&station->lock);
  if (station->stock > 0) { // NORACE
    parts = 1;
    station->stock -= 1; // NORACE
    station->handled++;  // NORACE
  }
  pthread_mutex_unlock(&station->lock);
  pthread_mutex_lock(&next->lock);
  next->stock += parts; // NORACE
  pthread_mutex_unlock(&next->lock);
}

static int handled(int index) {
  pthread_mutex_lock(&belt[index].lock);
  int parts = belt[index].handled; // NORACE
  pthread_mutex_unlock(&belt[index].lock);
  return parts;
}

static void *run_station(void *argument) {
  int index = *(const int *)argument;
  while (handled(index) < 3)
    hand_over(index);
  return NULL;
}

int main(void) {
  pthread_t threads[STATIONS];
  int indices[STATIONS];
  for (int i = 0; i < STATIONS; ++i) {
    pthread_mutex_init(&belt[i].lock, NULL);
    belt[i].stock = 4; // NORACE
    indices[i] = i;
  }
  for (int i = 0; i < STATIONS; ++i)
    pthread_create(&threads[i], NULL, run_station, &indices[i]);
  for (int i = 0; i < STATIONS; ++i)
    pthread_join(threads[i], NULL);
  int stock = 0;
  for (int i = 0; i < STATIONS; ++i)
    stock += belt[i].stock; // NORACE
  return stock == 4 * STATIONS ? 0 : 1;
}
