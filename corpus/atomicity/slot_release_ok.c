// A slot of a table of open files, counted by its users. A release takes the count down and, when
// it was the last, closes the slot in the same critical section, so that an acquisition either
// keeps the slot open or finds it closed.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct slot {
  pthread_mutex_t lock;
  int users;
  bool open;
};

static struct slot table[4];
static bool acquired;

static void slot_open(struct slot *slot) {
  pthread_mutex_init(&slot->lock, NULL);
  slot->users = 1;
  slot->open = true;
}

static void slot_release(struct slot *slot) {
  pthread_mutex_lock(&slot->lock);
  int left = slot->users - 1;
  slot->users = left; // NOVIOLATION
  if (left == 0)
    slot->open = false; // NOVIOLATION
  pthread_mutex_unlock(&slot->lock);
}

static bool slot_acquire(struct slot *slot) {
  pthread_mutex_lock(&slot->lock);
  bool open = slot->open; // NOVIOLATION
  if (open)
    slot->users = slot->users + 1; // NOVIOLATION
  pthread_mutex_unlock(&slot->lock);
  return open;
}

static bool slot_is_open(struct slot *slot) {
  pthread_mutex_lock(&slot->lock);
  bool open = slot->open;
  pthread_mutex_unlock(&slot->lock);
  return open;
}

static void *run_owner(void *argument) {
  slot_release(argument);
  return NULL;
}

static void *run_reader(void *argument) {
  acquired = slot_acquire(argument);
  return NULL;
}

int main(void) {
  slot_open(&table[2]);
  pthread_t owner, reader;
  pthread_create(&owner, NULL, run_owner, &table[2]);
  pthread_create(&reader, NULL, run_reader, &table[2]);
  pthread_join(owner, NULL);
  pthread_join(reader, NULL);
  assert(slot_is_open(&table[2]) == acquired);
  pthread_mutex_destroy(&table[2].lock);
}
