// Two shops, each with a catalogue, a stock and a journal under a lock of its own. A function that
// holds the lock of the catalogue may take that of the stock, and one that holds that of the stock
// may take that of the journal. The audit gives back the journal before it takes the catalogue, so
// the order has no circle.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct shop {
  pthread_mutex_t catalogueLock;
  pthread_mutex_t stockLock;
  pthread_mutex_t journalLock;
  int offers;
  int pieces;
  int entries;
};

static struct shop books = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 5, 0};
static struct shop maps = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 9, 0};

static int countPieces(struct shop *shop) {
  pthread_mutex_lock(&shop->stockLock);
  int pieces = shop->pieces;
  pthread_mutex_unlock(&shop->stockLock);
  return pieces;
}

static void writeEntry(struct shop *shop) {
  pthread_mutex_lock(&shop->journalLock);
  ++shop->entries;
  pthread_mutex_unlock(&shop->journalLock);
}

static void withdrawOffer(struct shop *shop) {
  pthread_mutex_lock(&shop->catalogueLock);
  --shop->offers;
  pthread_mutex_unlock(&shop->catalogueLock);
}

static void publish(struct shop *shop) {
  pthread_mutex_lock(&shop->catalogueLock);
  shop->offers += countPieces(shop) > 0 ? 2 : 1;
  pthread_mutex_unlock(&shop->catalogueLock);
}

static void sell(struct shop *shop) {
  pthread_mutex_lock(&shop->stockLock);
  --shop->pieces;
  writeEntry(shop);
  pthread_mutex_unlock(&shop->stockLock);
}

static void audit(struct shop *shop) {
  pthread_mutex_lock(&shop->journalLock);
  ++shop->entries;
  pthread_mutex_unlock(&shop->journalLock);
  withdrawOffer(shop);
}

static void *editor(void *argument) {
  publish(&books);
  publish(&maps);
  return argument;
}

static void *seller(void *argument) {
  sell(&maps);
  sell(&books);
  return argument;
}

static void *auditor(void *argument) {
  audit(&books);
  audit(&maps);
  return argument;
}

int main(void) {
  void *(*const clerks[4])(void *) = {editor, seller, auditor, seller};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, clerks[i], NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  assert(books.offers == 1 && books.pieces == 3 && books.entries == 3);
  assert(maps.offers == 1 && maps.pieces == 7 && maps.entries == 3);
  return 0;
}
