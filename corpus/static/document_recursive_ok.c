// A document behind a recursive mutex. Saving calls a function that takes the mutex once more and
// gives it back once; the outer level is still held when that function has returned.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

struct document {
  pthread_mutex_t mutex;
  int words;
  int revision;
  int saved_revision;
};

static struct document document = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, 0, 0, 0};

static int count_words(struct document *doc) {
  pthread_mutex_lock(&doc->mutex);
  int words = doc->words; // NORACE
  pthread_mutex_unlock(&doc->mutex);
  return words;
}

static void add_words(struct document *doc, int words) {
  pthread_mutex_lock(&doc->mutex);
  doc->words = count_words(doc) + words; // NORACE
  doc->revision++;                       // NORACE
  pthread_mutex_unlock(&doc->mutex);
}

static int save(struct document *doc) {
  pthread_mutex_lock(&doc->mutex);
  int words = count_words(doc);
  if (words < doc->words)              // NORACE
    words = doc->words;                // NORACE
  doc->saved_revision = doc->revision; // NORACE
  pthread_mutex_unlock(&doc->mutex);
  return words;
}

static void *type_text(void *argument) {
  for (int i = 0; i < 5; ++i)
    add_words(argument, 3);
  return NULL;
}

static void *save_often(void *argument) {
  for (int i = 0; i < 3; ++i)
    if (save(argument) > 15)
      return argument;
  return NULL;
}

int main(void) {
  pthread_t author, saver;
  void *failed;
  pthread_create(&author, NULL, type_text, &document);
  pthread_create(&saver, NULL, save_often, &document);
  pthread_join(author, NULL);
  pthread_join(saver, &failed);
  return failed || document.saved_revision > document.revision ? 1 : 0; // NORACE
}
