// heddle-corpus: packages=glib-2.0
// GLib's threads: a GThreadPool that works on what is pushed, a GAsyncQueue that brings the results
// back, and GMutex and GCond, whose locks are futexes inside of the library.
#include <assert.h>
#include <glib.h>
#include <stdlib.h>

struct job {
  int input;
  long output;
};

static GAsyncQueue* results;
static GMutex mutex;
static GCond reached;
static int counted;
static int rounds = 4000;

static void work(gpointer data, gpointer user_data) {
  struct job* job = data;
  (void)user_data;
  job->output = 3L * job->input;
  g_async_queue_push(results, job);
  g_mutex_lock(&mutex);
  if (++counted == rounds)
    g_cond_signal(&reached);
  g_mutex_unlock(&mutex);
}

static gpointer submit(gpointer data) {
  GThreadPool* pool = data;
  for (int i = 0; i < rounds; ++i) {
    struct job* job = g_new0(struct job, 1);
    job->input = i;
    g_thread_pool_push(pool, job, NULL);
  }
  return NULL;
}

int main(int argc, char** argv) {
  long sum = 0;
  if (argc > 1)
    rounds = atoi(argv[1]);
  results = g_async_queue_new();
  GThreadPool* pool = g_thread_pool_new(work, NULL, 2, TRUE, NULL);
  GThread* submitter = g_thread_new("submitter", submit, pool);
  for (int i = 0; i < rounds; ++i) {
    struct job* job = g_async_queue_pop(results);
    assert(job->output == 3L * job->input);
    sum += job->output;
    g_free(job);
  }
  g_thread_join(submitter);
  g_mutex_lock(&mutex);
  while (counted < rounds)
    g_cond_wait(&reached, &mutex);
  g_mutex_unlock(&mutex);
  g_thread_pool_free(pool, FALSE, TRUE);
  g_async_queue_unref(results);
  assert(sum == 3L * rounds * (rounds - 1) / 2);
  return 0;
}
