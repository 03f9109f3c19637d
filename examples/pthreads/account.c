#include "account.h"

void account_open(struct account* account, long balance) {
  pthread_mutex_init(&account->lock, NULL);
  account->balance = balance;
}

int account_transfer(struct account* from, struct account* to, long amount) {
  int done = 0;
  /* The bug: two transfers in opposite directions take the locks in opposite orders. */
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  if (from->balance >= amount) {
    from->balance -= amount;
    to->balance += amount;
    done = 1;
  }
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
  return done;
}
