// heddle-corpus: flags=-luv
// libuv: work for its thread pool whose results arrive in the loop, an async handle that two
// threads of the program send to, and libuv's own mutex around what they share.
#include <assert.h>
#include <stdlib.h>
#include <uv.h>

enum { kSenders = 2, kInFlight = 8 };

struct job {
  uv_work_t request;
  long input, output;
};

static uv_loop_t loop;
static uv_async_t async;
static uv_mutex_t mutex;
static long sent, received;
static int submitted, completed;
static long sum;
static int senders_left = kSenders;
static int rounds = 3000;

static void work(uv_work_t* request) {
  struct job* job = request->data;
  job->output = job->input * job->input % 1000;
}

static void submit(struct job* job);

static void after_work(uv_work_t* request, int status) {
  struct job* job = request->data;
  assert(status == 0);
  assert(job->output == job->input * job->input % 1000);
  sum += job->output;
  ++completed;
  submit(job);
}

static void submit(struct job* job) {
  if (submitted == rounds) {
    free(job);
    return;
  }
  job->input = submitted++;
  job->request.data = job;
  assert(uv_queue_work(&loop, &job->request, work, after_work) == 0);
}

static void on_async(uv_async_t* handle) {
  uv_mutex_lock(&mutex);
  received = sent;
  int left = senders_left;
  uv_mutex_unlock(&mutex);
  if (left == 0)
    uv_close((uv_handle_t*)handle, NULL);
}

static void notify(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    uv_mutex_lock(&mutex);
    ++sent;
    uv_mutex_unlock(&mutex);
    if (i % 8 == 0)
      uv_async_send(&async);
  }
  uv_mutex_lock(&mutex);
  if (--senders_left == 0)
    uv_async_send(&async);
  uv_mutex_unlock(&mutex);
}

int main(int argc, char** argv) {
  uv_thread_t senders[kSenders];
  if (argc > 1)
    rounds = atoi(argv[1]);
  uv_loop_init(&loop);
  uv_mutex_init(&mutex);
  uv_async_init(&loop, &async, on_async);
  for (int i = 0; i < kInFlight && i < rounds; ++i)
    submit(calloc(1, sizeof(struct job)));
  for (int i = 0; i < kSenders; ++i)
    uv_thread_create(&senders[i], notify, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  for (int i = 0; i < kSenders; ++i)
    uv_thread_join(&senders[i]);
  assert(completed == rounds && received == (long)kSenders * rounds);
  uv_loop_close(&loop);
  uv_mutex_destroy(&mutex);
  return 0;
}
