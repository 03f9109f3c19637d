/* Two people pay each other at the same time. */
#include "account.h"

#include <assert.h>
#include <stdio.h>

static struct account ada, bob;

static void* ada_pays(void* unused) {
  account_transfer(&ada, &bob, 30);
  return unused;
}

static void* bob_pays(void* unused) {
  account_transfer(&bob, &ada, 20);
  return unused;
}

int main(void) {
  pthread_t first, second;
  account_open(&ada, 100);
  account_open(&bob, 100);
  pthread_create(&first, NULL, ada_pays, NULL);
  pthread_create(&second, NULL, bob_pays, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(ada.balance + bob.balance == 200);
  printf("ada %ld, bob %ld\n", ada.balance, bob.balance);
  return 0;
}
