/* The checking variants that _FORTIFY_SOURCE links to, and the names with 64. */
#define _FORTIFY_SOURCE 2
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static int pair[2];

static void* writer(void* unused) {
  (void)unused;
  if (write(ends[1], "abc", 3) != 3 || send(pair[1], "def", 3, 0) != 3)
    abort();
  return NULL;
}

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

int main(int argc, char** argv) {
  size_t bytes = argc > 100 ? 200 : 3; /* not a constant for the compiler */
  char buffer[8];
  pthread_t thread;
  struct pollfd descriptors[2];
  FILE* file;
  int fd;
  (void)argv;
  CHECK(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  CHECK(pthread_create(&thread, NULL, writer, NULL) == 0);
  descriptors[0].fd = ends[0];
  descriptors[0].events = POLLIN;
  CHECK(poll(descriptors, bytes - 2, -1) == 1);
  CHECK(read(ends[0], buffer, bytes) == 3 && memcmp(buffer, "abc", 3) == 0);
  CHECK(recv(pair[0], buffer, bytes, 0) == 3 && memcmp(buffer, "def", 3) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  fd = open("/dev/null", O_RDWR);
  CHECK(fd >= 0 && pread(fd, buffer, bytes, 0) == 0 && close(fd) == 0);
  file = fopen("/dev/null", "r");
  CHECK(file && fgetc(file) == EOF && fclose(file) == 0);
  return 0;
}
