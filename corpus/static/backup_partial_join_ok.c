// A backup with three copiers and a verifier. main reads what the copiers wrote after it has joined
// them, while the verifier still runs, and the verifier's own report after it has joined that too.
#include <pthread.h>
#include <stddef.h>

enum { COPIERS = 3 };

struct copier {
  pthread_t thread;
  int files;
};

struct report {
  int verified;
  int damaged;
};

static struct copier copiers[COPIERS];
static struct report report;

static void *copy_files(void *argument) {
  struct copier *copier = argument;
  for (int i = 0; i < 10; ++i)
    copier->files++; // NORACE
  return NULL;
}

static void *verify(void *argument) {
  const int *volumes = argument;
  for (int i = 0; i < *volumes; ++i) { // NORACE
    report.verified++;                 // NORACE
    report.damaged += i % 7 == 6;      // NORACE
  }
  return NULL;
}

static int copied_files(void) {
  int files = 0;
  for (int i = 0; i < COPIERS; ++i)
    files += copiers[i].files; // NORACE
  return files;
}

int main(void) {
  pthread_t verifier;
  int volumes = 10;
  pthread_create(&verifier, NULL, verify, &volumes);
  for (int i = 0; i < COPIERS; ++i)
    pthread_create(&copiers[i].thread, NULL, copy_files, &copiers[i]);
  for (int i = 0; i < COPIERS; ++i)
    pthread_join(copiers[i].thread, NULL);
  int files = copied_files();
  pthread_join(verifier, NULL);
  int verified = report.verified;                                      // NORACE
  return files == 30 && verified == 10 && report.damaged == 1 ? 0 : 1; // NORACE
}
