// State of a socket in bit-fields. The reader and the writer set different bits; a bit-field of
// width zero between them begins a new memory location.
#include <pthread.h>
#include <stddef.h>

struct socket_state {
  unsigned char readable : 1;
  unsigned char end_of_file : 1;
  unsigned char : 0;
  unsigned char writable : 1;
  unsigned char overflow : 1;
  unsigned char priority;
};

static struct socket_state state;
static int received;
static int sent;

static void *receive(void *argument) {
  for (int i = 0; i < 4; ++i) {
    state.readable = i % 2 == 0; // NORACE
    received += 10;              // NORACE
  }
  state.end_of_file = 1; // NORACE
  return argument;
}

static void *transmit(void *argument) {
  for (int i = 0; i < 4; ++i) {
    state.writable = i % 2 == 1; // NORACE
    sent += 20;                  // NORACE
  }
  state.overflow = sent > 1000; // NORACE
  return argument;
}

static void *prioritise(void *argument) {
  state.priority = 7; // NORACE
  return argument;
}

int main(void) {
  pthread_t receiver, transmitter, scheduler;
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_create(&transmitter, NULL, transmit, NULL);
  pthread_create(&scheduler, NULL, prioritise, NULL);
  pthread_join(receiver, NULL);
  pthread_join(transmitter, NULL);
  pthread_join(scheduler, NULL);
  if (state.priority != 7 || received != 40 || sent != 80) // NORACE
    return 1;
  return state.end_of_file && state.writable && !state.overflow ? 0 : 1; // NORACE
}
