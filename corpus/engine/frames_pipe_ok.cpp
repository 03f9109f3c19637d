// Two threads send framed messages (kind, length, body) through one pipe to a reader. A frame is
// one write call of less than PIPE_BUF bytes, which POSIX makes atomic, so frames are never mixed.
#include <cassert>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>

static void send(int fd, char kind, char length) {
  const std::string frame = std::string{kind, length} + std::string(length, kind);
  ssize_t written = write(fd, frame.data(), frame.size()); // NORACE
  assert(written == static_cast<ssize_t>(frame.size()));
}

static void readAll(int fd, char *target, size_t count) {
  while (count > 0) {
    pollfd readable = {fd, POLLIN, 0};
    poll(&readable, 1, -1);
    ssize_t got = read(fd, target, count);
    assert(got > 0);
    target += got;
    count -= got;
  }
}

static void receive(int fd) {
  char header[2];
  readAll(fd, header, sizeof header);
  std::string body(header[1], '?');
  readAll(fd, body.data(), body.size());
  assert(body == std::string(header[1], header[0]));
}

int main() {
  int fds[2];
  int status = pipe(fds);
  assert(status == 0);
  std::thread left([&] { send(fds[1], 'a', 3); });
  std::thread right([&] { send(fds[1], 'b', 2); });
  receive(fds[0]);
  receive(fds[0]);
  left.join();
  right.join();
  close(fds[0]);
  close(fds[1]);
}
