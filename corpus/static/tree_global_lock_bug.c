// A search tree under one lock, which the functions for users take and the recursive ones expect.
// The depth is computed by a user who calls the recursive function directly.
#include <pthread.h>
#include <stdlib.h>

struct node {
  int key;
  int hits;
  struct node *left;
  struct node *right;
};

static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *root;

static struct node *insert_below(struct node *node, int key) {
  if (!node) {
    node = malloc(sizeof *node);
    if (!node)
      abort();
    node->key = key;                            // NORACE
    node->hits = 0;                             // NORACE
    node->left = NULL;                          // RACE!
    node->right = NULL;                         // RACE!
  } else if (key < node->key) {                 // NORACE
    node->left = insert_below(node->left, key); // RACE!
  } else {
    node->right = insert_below(node->right, key); // RACE!
  }
  return node;
}

static int depth_below(const struct node *node) {
  if (!node)
    return 0;
  int left = depth_below(node->left);   // RACE!
  int right = depth_below(node->right); // RACE!
  return 1 + (left > right ? left : right);
}

static void insert(int key) {
  pthread_mutex_lock(&tree_lock);
  root = insert_below(root, key); // RACE!
  pthread_mutex_unlock(&tree_lock);
}

static int depth(void) {
  return depth_below(root); // RACE!
}

static int find(int key) {
  pthread_mutex_lock(&tree_lock);
  struct node *node = root;                            // NORACE
  while (node && node->key != key)                     // NORACE
    node = key < node->key ? node->left : node->right; // NORACE
  int hits = node ? ++node->hits : 0;                  // NORACE
  pthread_mutex_unlock(&tree_lock);
  return hits;
}

static void *fill(void *argument) {
  int first = *(const int *)argument;
  for (int key = first; key < first + 9; key += 2)
    insert(key % 7);
  return find(first) > 0 ? NULL : argument;
}

int main(void) {
  pthread_t threads[2];
  int first[2] = {1, 2};
  insert(4);
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, fill, &first[i]);
  int levels = depth();
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return levels <= depth() ? 0 : 1;
}
