// A ledger whose lock is taken and given back by two small functions. Closing the ledger gives the
// lock back before it stamps the number of postings, so the stamp races with the next posting.
#include <pthread.h>
#include <stddef.h>

struct ledger {
  pthread_mutex_t mutex;
  long balance;
  int postings;
  int stamp;
};

static struct ledger book = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

static void ledger_enter(struct ledger *ledger) { pthread_mutex_lock(&ledger->mutex); }

static void ledger_leave(struct ledger *ledger) { pthread_mutex_unlock(&ledger->mutex); }

static void ledger_post(struct ledger *ledger, long amount) {
  ledger_enter(ledger);
  ledger->balance += amount; // NORACE
  ledger->postings++;        // RACE!
  ledger_leave(ledger);
}

static long ledger_close(struct ledger *ledger) {
  ledger_enter(ledger);
  long balance = ledger->balance; // NORACE
  ledger_leave(ledger);
  ledger->stamp = ledger->postings; // RACE!
  return balance;
}

static void *post_payments(void *argument) {
  struct ledger *ledger = argument;
  for (long amount = 1; amount <= 4; ++amount)
    ledger_post(ledger, amount);
  return NULL;
}

static void *close_day(void *argument) {
  ledger_close(argument);
  return NULL;
}

int main(void) {
  pthread_t clerk, auditor;
  book.balance = 100; // NORACE
  pthread_create(&clerk, NULL, post_payments, &book);
  pthread_create(&auditor, NULL, close_day, &book);
  pthread_join(clerk, NULL);
  pthread_join(auditor, NULL);
  return book.balance == 110 && book.stamp <= book.postings ? 0 : 1; // NORACE
}
