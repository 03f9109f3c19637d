// A playlist as a linked list under a lock. The player takes the head under the lock and walks the
// list after it gave the lock back, while the editor inserts behind the first title.
#include <pthread.h>
#include <stdlib.h>

struct title {
  int seconds;
  struct title *next;
};

struct playlist {
  pthread_mutex_t lock;
  struct title *head;
  int length;
};

static struct playlist playlist = {PTHREAD_MUTEX_INITIALIZER, NULL, 0};

static struct title *make_title(int seconds) {
  struct title *title = malloc(sizeof *title);
  if (!title)
    abort();
  title->seconds = seconds; // RACE!
  title->next = NULL;       // RACE!
  return title;
}

static void insert_second(struct playlist *list, int seconds) {
  struct title *title = make_title(seconds);
  pthread_mutex_lock(&list->lock);
  title->next = list->head->next; // RACE!
  list->head->next = title;       // RACE!
  list->length++;                 // NORACE
  pthread_mutex_unlock(&list->lock);
}

static int total_seconds(struct playlist *list) {
  int total = 0;
  pthread_mutex_lock(&list->lock);
  struct title *title = list->head; // NORACE
  pthread_mutex_unlock(&list->lock);
  for (; title; title = title->next) // RACE!
    total += title->seconds;         // RACE!
  return total;
}

static void *edit(void *argument) {
  for (int i = 1; i <= 4; ++i)
    insert_second(argument, 60 * i);
  return NULL;
}

static void *play(void *argument) { return total_seconds(argument) <= 780 ? NULL : argument; }

int main(void) {
  pthread_t editor, player;
  playlist.head = make_title(180); // NORACE
  playlist.length = 1;             // NORACE
  pthread_create(&editor, NULL, edit, &playlist);
  pthread_create(&player, NULL, play, &playlist);
  pthread_join(editor, NULL);
  pthread_join(player, NULL);
  return playlist.length == 5 && total_seconds(&playlist) == 780 ? 0 : 1; // NORACE
}
