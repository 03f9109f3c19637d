// A parent and its child hand a block of shared memory back and forth with process-shared
// semaphores, a condition variable says when the child has seen the last one, and a second thread
// of the parent keeps itself busy under a lock that the child takes, too.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  sem_t request, answer;
  long argument, result;
  pthread_mutex_t mutex;
  pthread_cond_t finished;
  int done;
  long visits;
};

static struct shared* shared;
static int rounds = 3000;

static void set_up(void) {
  pthread_mutexattr_t mutex_attributes;
  pthread_condattr_t condition_attributes;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  assert(sem_init(&shared->request, 1, 0) == 0 && sem_init(&shared->answer, 1, 0) == 0);
  pthread_mutexattr_init(&mutex_attributes);
  pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &mutex_attributes);
  pthread_condattr_init(&condition_attributes);
  pthread_condattr_setpshared(&condition_attributes, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared->finished, &condition_attributes);
}

static void visit(void) {
  pthread_mutex_lock(&shared->mutex);
  ++shared->visits;
  pthread_mutex_unlock(&shared->mutex);
}

static void serve(void) {
  for (int i = 0; i < rounds; ++i) {
    sem_wait(&shared->request);
    shared->result = 2 * shared->argument;
    sem_post(&shared->answer);
    visit();
  }
  pthread_mutex_lock(&shared->mutex);
  shared->done = 1;
  pthread_cond_broadcast(&shared->finished);
  pthread_mutex_unlock(&shared->mutex);
  _exit(0);
}

static void* keep_visiting(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i)
    visit();
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t visitor;
  int status = -1;
  if (argc > 1)
    rounds = atoi(argv[1]);
  set_up();
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0)
    serve();
  pthread_create(&visitor, NULL, keep_visiting, NULL);
  for (int i = 0; i < rounds; ++i) {
    shared->argument = i;
    sem_post(&shared->request);
    while (sem_wait(&shared->answer) != 0) {
    }
    assert(shared->result == 2L * i);
  }
  pthread_mutex_lock(&shared->mutex);
  while (!shared->done)
    pthread_cond_wait(&shared->finished, &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  pthread_join(visitor, NULL);
  assert(waitpid(child, &status, 0) == child && status == 0);
  assert(shared->visits == 2L * rounds);
  munmap(shared, sizeof *shared);
  return 0;
}
