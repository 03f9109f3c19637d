// Lists whose nodes all come from one allocation function. A thread has a list of its own without a
// lock; the shared list needs the lock, and the threads push onto it without.
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

struct list {
  struct node *head;
  int length;
};

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list shared_list;

static void *xmalloc(size_t size) {
  void *memory = malloc(size);
  if (!memory)
    abort();
  return memory;
}

static struct node *make_node(int value, struct node *next) {
  struct node *node = xmalloc(sizeof *node);
  node->value = value; // NORACE
  node->next = next;   // NORACE
  return node;
}

static struct list *make_list(void) {
  struct list *list = xmalloc(sizeof *list);
  list->head = NULL; // NORACE
  list->length = 0;  // NORACE
  return list;
}

static void push_own(struct list *list, int value) {
  list->head = make_node(value, list->head); // NORACE
  list->length++;                            // NORACE
}

static void push_shared(int value) {
  shared_list.head = make_node(value, shared_list.head); // RACE!
  shared_list.length++;                                  // RACE!
}

static void *collect(void *argument) {
  struct list *own = make_list();
  for (int value = 1; value <= 4; ++value)
    push_own(own, value);
  for (struct node *node = own->head; node; node = node->next) // NORACE
    push_shared(node->value);                                  // NORACE
  return own->length == 4 ? NULL : argument;                   // NORACE
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, collect, &shared_list);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  pthread_mutex_lock(&shared_lock);
  int length = shared_list.length; // NORACE
  pthread_mutex_unlock(&shared_lock);
  return length <= 8 ? 0 : 1;
}
