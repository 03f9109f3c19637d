// A playlist as a structure with functions, each of which locks it. The total duration asks for the
// length and then for each track, and holds the lock of the playlist meanwhile.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { capacity = 8 };

struct playlist {
  pthread_mutex_t lock;
  int length;
  int seconds[capacity];
};

static void playlist_open(struct playlist *playlist) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&playlist->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  playlist->length = 0;
}

static void playlist_add(struct playlist *playlist, int seconds) {
  pthread_mutex_lock(&playlist->lock);
  playlist->seconds[playlist->length] = seconds;
  ++playlist->length;
  pthread_mutex_unlock(&playlist->lock);
}

static void playlist_remove_last(struct playlist *playlist) {
  pthread_mutex_lock(&playlist->lock);
  --playlist->length; // NOVIOLATION
  pthread_mutex_unlock(&playlist->lock);
}

static int playlist_length(struct playlist *playlist) {
  pthread_mutex_lock(&playlist->lock);
  int length = playlist->length; // NOVIOLATION
  pthread_mutex_unlock(&playlist->lock);
  return length;
}

static int playlist_seconds(struct playlist *playlist, int index) {
  pthread_mutex_lock(&playlist->lock);
  int length = playlist->length; // NOVIOLATION
  assert(index < length);
  int seconds = playlist->seconds[index];
  pthread_mutex_unlock(&playlist->lock);
  return seconds;
}

static int playlist_total(struct playlist *playlist) {
  pthread_mutex_lock(&playlist->lock);
  int total = 0;
  int length = playlist_length(playlist);
  for (int i = 0; i < length; ++i)
    total += playlist_seconds(playlist, i);
  pthread_mutex_unlock(&playlist->lock);
  return total;
}

static void *run_display(void *argument) {
  int total = playlist_total(argument);
  assert(total == 180 || total == 420);
  return NULL;
}

static void *run_editor(void *argument) {
  playlist_remove_last(argument);
  return NULL;
}

int main(void) {
  struct playlist playlist;
  playlist_open(&playlist);
  playlist_add(&playlist, 180);
  playlist_add(&playlist, 240);
  pthread_t display, editor;
  pthread_create(&display, NULL, run_display, &playlist);
  pthread_create(&editor, NULL, run_editor, &playlist);
  pthread_join(display, NULL);
  pthread_join(editor, NULL);
  pthread_mutex_destroy(&playlist.lock);
}
