// Stations of a conveyor belt in a global array, each with a lock. A station hands parts to the
// next one and holds only its own lock, so the stock of the next one is written without its lock.
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
  if (station->stock > 0) { // RACE!
    parts = 1;
    station->stock -= 1; // RACE!
    station->handled++;  // NORACE
  }
  next->stock += parts; // RACE!
  pthread_mutex_unlock(&station->lock);
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
  return stock <= 24 ? 0 : 1;
}
