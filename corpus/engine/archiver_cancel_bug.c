// An archiver thread that can be cancelled. Besides the place that is meant for it, the wait for
// the disk is a cancellation point too, and a cancelled wait ends with the mutex locked; no cleanup
// handler unlocks it, so everybody else waits for the mutex of a dead thread.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t archiveLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t diskMounted = PTHREAD_COND_INITIALIZER;
static int mounted;
static int archived;

static void archiveOne(void) {
  pthread_mutex_lock(&archiveLock);
  while (!mounted)
    pthread_cond_wait(&diskMounted, &archiveLock);
  archived++;
  pthread_mutex_unlock(&archiveLock);
}

static void *archiveAll(void *argument) {
  (void)argument;
  for (int i = 0; i < 2; ++i) {
    pthread_testcancel();
    archiveOne();
    usleep(50);
  }
  return NULL;
}

static void *mountDisk(void *argument) {
  (void)argument;
  pthread_mutex_lock(&archiveLock); // EXPECT: deadlock
  mounted = 1;
  pthread_cond_signal(&diskMounted);
  pthread_mutex_unlock(&archiveLock);
  return NULL;
}

int main(void) {
  pthread_t mounter;
  pthread_t archiver;
  pthread_create(&mounter, NULL, mountDisk, NULL);
  pthread_create(&archiver, NULL, archiveAll, NULL);
  pthread_cancel(archiver);
  pthread_join(archiver, NULL);
  pthread_join(mounter, NULL);
  pthread_mutex_lock(&archiveLock); // EXPECT: deadlock
  assert(mounted && archived <= 2);
  pthread_mutex_unlock(&archiveLock);
  return 0;
}
