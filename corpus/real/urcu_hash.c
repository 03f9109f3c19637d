// heddle-corpus: flags=-lurcu-memb,-lurcu-cds,-lurcu-common short=20
// Userspace RCU: its lock-free hash table with lookups, additions and removals, call_rcu with the
// library's own thread, and a wait-free queue.
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu/rculfhash.h>
#include <urcu/urcu-memb.h>
#include <urcu/wfcqueue.h>

enum { kUpdaters = 2, kReaders = 2, kKeys = 32 };

struct entry {
  long key, negated;
  struct cds_lfht_node node;
  struct rcu_head head;
};
struct message {
  long key;
  struct cds_wfcq_node node;
};

static struct cds_lfht* table;
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static int rounds = 1000;

static int matches(struct cds_lfht_node* node, const void* key) {
  return caa_container_of(node, struct entry, node)->key == *(const long*)key;
}
static void release(struct rcu_head* rcu) { free(caa_container_of(rcu, struct entry, head)); }

static void* update(void* argument) {
  long base = (long)argument * kKeys;
  urcu_memb_register_thread();
  for (int i = 0; i < rounds; ++i) {
    struct entry* entry = malloc(sizeof *entry);
    struct message* message = malloc(sizeof *message);
    entry->key = base + i % kKeys;
    entry->negated = -entry->key;
    cds_lfht_node_init(&entry->node);
    urcu_memb_read_lock();
    struct cds_lfht_node* old =
        cds_lfht_add_replace(table, (unsigned long)entry->key, matches, &entry->key, &entry->node);
    if (old)
      urcu_memb_call_rcu(&caa_container_of(old, struct entry, node)->head, release);
    urcu_memb_read_unlock();
    message->key = entry->key;
    cds_wfcq_node_init(&message->node);
    cds_wfcq_enqueue(&head, &tail, &message->node);
  }
  urcu_memb_unregister_thread();
  return NULL;
}

static void* look(void* argument) {
  (void)argument;
  urcu_memb_register_thread();
  for (int i = 0; i < rounds; ++i) {
    struct cds_lfht_iter iter;
    long key = i % (kUpdaters * kKeys);
    urcu_memb_read_lock();
    cds_lfht_lookup(table, (unsigned long)key, matches, &key, &iter);
    struct cds_lfht_node* node = cds_lfht_iter_get_node(&iter);
    if (node)
      assert(caa_container_of(node, struct entry, node)->negated == -key);
    urcu_memb_read_unlock();
  }
  urcu_memb_unregister_thread();
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kUpdaters + kReaders];
  if (argc > 1)
    rounds = atoi(argv[1]);
  urcu_memb_register_thread();
  cds_wfcq_init(&head, &tail);
  table = cds_lfht_new_flavor(64, 64, 64, 0, &urcu_memb_flavor, NULL);
  for (long i = 0; i < kUpdaters + kReaders; ++i)
    pthread_create(&threads[i], NULL, i < kUpdaters ? update : look, (void*)i);
  for (int i = 0; i < kUpdaters + kReaders; ++i)
    pthread_join(threads[i], NULL);
  long messages = 0;
  struct cds_wfcq_node* node;
  while ((node = __cds_wfcq_dequeue_blocking(&head, &tail)) != NULL) {
    free(caa_container_of(node, struct message, node));
    ++messages;
  }
  assert(messages == (long)kUpdaters * rounds);
  struct cds_lfht_iter iter;
  struct entry* entry;
  urcu_memb_read_lock();
  cds_lfht_for_each_entry(table, &iter, entry, node) {
    assert(cds_lfht_del(table, &entry->node) == 0);
    urcu_memb_call_rcu(&entry->head, release);
  }
  urcu_memb_read_unlock();
  urcu_memb_barrier();
  cds_lfht_destroy(table, NULL);
  urcu_memb_unregister_thread();
}
