// A backup with three copiers and a verifier. main joins the copiers and reads the report, which
// the verifier, not yet joined, still writes.
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
    report.verified++;                 // RACE!
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
  int verified = report.verified; // RACE!
  pthread_join(verifier, NULL);
  return files == 30 && verified <= 10 && report.damaged == 1 ? 0 : 1; // NORACE
}
