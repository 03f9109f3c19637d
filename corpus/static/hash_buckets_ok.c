// A hash table with a lock in each bucket. Insertion, lookup and count hold the lock of the bucket
// whose chain they touch.
#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 4 };

struct item {
  int key;
  struct item *next;
};

struct bucket {
  pthread_mutex_t lock;
  struct item *head;
};

static struct bucket table[BUCKETS];

static struct bucket *bucket_of(int key) { return &table[key % BUCKETS]; }

static void insert(int key) {
  struct bucket *bucket = bucket_of(key);
  struct item *item = malloc(sizeof *item);
  if (!item)
    abort();
  item->key = key; // NORACE
  pthread_mutex_lock(&bucket->lock);
  item->next = bucket->head; // NORACE
  bucket->head = item;       // NORACE
  pthread_mutex_unlock(&bucket->lock);
}

static int contains(int key) {
  struct bucket *bucket = bucket_of(key);
  int found = 0;
  pthread_mutex_lock(&bucket->lock);
  for (struct item *item = bucket->head; item; item = item->next) // NORACE
    found |= item->key == key;                                    // NORACE
  pthread_mutex_unlock(&bucket->lock);
  return found;
}

static int count(void) {
  int sum = 0;
  for (int i = 0; i < BUCKETS; ++i) {
    pthread_mutex_lock(&table[i].lock);
    for (struct item *item = table[i].head; item; item = item->next) // NORACE
      sum++;
    pthread_mutex_unlock(&table[i].lock);
  }
  return sum;
}

static void *fill(void *argument) {
  int first = *(const int *)argument;
  for (int key = first; key < first + 8; ++key)
    insert(key);
  return contains(first) ? NULL : argument;
}

int main(void) {
  pthread_t threads[2];
  int first[2] = {0, 8};
  for (int i = 0; i < BUCKETS; ++i)
    pthread_mutex_init(&table[i].lock, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, fill, &first[i]);
  int early = count();
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return early <= 16 && count() == 16 ? 0 : 1;
}
