// A mailbox with C11 threads. The receiver waits for the signal without looking whether a letter is
// already there; when the sender was first, its signal is gone and the receiver sleeps for ever.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mailLock;
static cnd_t mailArrived;
static int letter;
static int mailCount;

static int post(void *argument) {
  mtx_lock(&mailLock);
  letter = *(int *)argument;
  mailCount++;
  cnd_signal(&mailArrived);
  mtx_unlock(&mailLock);
  return 0;
}

static int collect(void *argument) {
  (void)argument;
  mtx_lock(&mailLock);
  cnd_wait(&mailArrived, &mailLock); // EXPECT: deadlock
  int received = letter;
  mailCount--;
  mtx_unlock(&mailLock);
  return received;
}

int main(void) {
  mtx_init(&mailLock, mtx_plain);
  cnd_init(&mailArrived);
  int content = 33;
  int received = 0;
  thrd_t receiver;
  thrd_t sender;
  thrd_create(&receiver, collect, NULL);
  thrd_create(&sender, post, &content);
  thrd_join(sender, NULL);
  thrd_join(receiver, &received);
  assert(received == 33 && mailCount == 0);
  cnd_destroy(&mailArrived);
  mtx_destroy(&mailLock);
  return 0;
}
