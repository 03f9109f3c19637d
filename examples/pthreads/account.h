#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  long balance;
};

void account_open(struct account* account, long balance);
/* Moves money when there is enough; returns whether it did. */
int account_transfer(struct account* from, struct account* to, long amount);

#endif
