// Remote calls inside of one process: each client has a socket pair, a server thread polls all of
// them. The arguments lie in the client's memory, the socket carries only their address.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kClients = 3 };

struct call {
  long left, right, answer;
};

static int sockets[kClients][2];
static long served;
static int rounds = 6000;

static void* client(void* argument) {
  int descriptor = sockets[(size_t)argument][0];
  for (int i = 0; i < rounds; ++i) {
    struct call call = {i, 2L * i, -1};
    struct call* sent = &call;
    char done = 0;
    assert(write(descriptor, &sent, sizeof sent) == sizeof sent);
    assert(read(descriptor, &done, 1) == 1 && done == 'd');
    assert(call.answer == 3L * i);
  }
  shutdown(descriptor, SHUT_WR);
  return NULL;
}

/// Serves one call; 0 when the client has gone.
static int serve(int descriptor) {
  struct call* call;
  ssize_t got = read(descriptor, &call, sizeof call);
  if (got == 0)
    return 0;
  assert(got == sizeof call);
  call->answer = call->left + call->right;
  ++served;
  assert(write(descriptor, "d", 1) == 1);
  return 1;
}

static void* server(void* argument) {
  struct pollfd polled[kClients];
  int open = kClients;
  (void)argument;
  for (int i = 0; i < kClients; ++i)
    polled[i] = (struct pollfd){sockets[i][1], POLLIN, 0};
  while (open > 0) {
    assert(poll(polled, kClients, -1) > 0);
    for (int i = 0; i < kClients; ++i)
      if ((polled[i].revents & (POLLIN | POLLHUP)) && !serve(polled[i].fd)) {
        polled[i].fd = -1;
        --open;
      }
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t clients[kClients], served_by;
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kClients; ++i)
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i]) == 0);
  pthread_create(&served_by, NULL, server, NULL);
  for (size_t i = 0; i < kClients; ++i)
    pthread_create(&clients[i], NULL, client, (void*)i);
  for (int i = 0; i < kClients; ++i)
    pthread_join(clients[i], NULL);
  pthread_join(served_by, NULL);
  assert(served == (long)kClients * rounds);
  for (int i = 0; i < kClients; ++i) {
    close(sockets[i][0]);
    close(sockets[i][1]);
  }
  return 0;
}
