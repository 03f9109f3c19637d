// heddle-corpus: time=any
// A call whose answer is awaited with a timeout (pthread_cond_timedwait). The caller frees the call
// when it gives up, but the server still has it and writes the answer into freed memory. It needs
// the timeout to expire before the answer comes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct Call {
  int question;
  int answer;
  int answered;
};

static pthread_mutex_t callsLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t callAnswered = PTHREAD_COND_INITIALIZER;

static void *answerCall(void *argument) {
  struct Call *call = argument;
  pthread_mutex_lock(&callsLock);
  call->answer = call->question * 7; // EXPECT: memory-error
  call->answered = 1;
  pthread_cond_signal(&callAnswered);
  pthread_mutex_unlock(&callsLock);
  return NULL;
}

static int waitForAnswer(struct Call *call, int *answer) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  pthread_mutex_lock(&callsLock);
  int status = 0;
  while (!call->answered && status == 0)
    status = pthread_cond_timedwait(&callAnswered, &callsLock, &deadline);
  *answer = call->answer;
  free(call);
  pthread_mutex_unlock(&callsLock);
  return status;
}

int main(void) {
  struct Call *call = calloc(1, sizeof *call);
  call->question = 6;
  pthread_t server;
  pthread_create(&server, NULL, answerCall, call);
  int answer = 0;
  int status = waitForAnswer(call, &answer);
  assert(status == ETIMEDOUT || answer == 42);
  pthread_join(server, NULL);
  return 0;
}
