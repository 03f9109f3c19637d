// Socket pairs and loopback TCP, UDP and Unix sockets between threads.
#include "check.h"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;

static void pairs() {
  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  constexpr size_t kBytes = 1 << 20; // more than the buffers hold
  std::thread sender([&] {
    std::vector<char> data(kBytes, 'a');
    CHECK(send(pair[0], data.data(), data.size(), 0) == static_cast<ssize_t>(kBytes));
    CHECK(shutdown(pair[0], SHUT_WR) == 0);
  });
  std::vector<char> data(kBytes);
  CHECK(recv(pair[1], data.data(), kBytes, MSG_WAITALL) == static_cast<ssize_t>(kBytes));
  CHECK(data[kBytes - 1] == 'a');
  CHECK(recv(pair[1], data.data(), 1, 0) == 0);
  sender.join();
  CHECK(recv(pair[0], data.data(), 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  timeval time{0, 20'000};
  CHECK(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
  CHECK(recv(pair[0], data.data(), 1, 0) == -1 && errno == EAGAIN);
  close(pair[1]);
  CHECK(send(pair[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
  close(pair[0]);
}

static void echo(int connection) {
  char buffer[64];
  ssize_t got;
  while ((got = read(connection, buffer, sizeof buffer)) > 0)
    CHECK(write(connection, buffer, static_cast<size_t>(got)) == got);
  CHECK(got == 0);
  close(connection);
}

static void talk(int fd, const std::string& text) {
  CHECK(write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  std::string answer(text.size(), 0);
  CHECK(recv(fd, answer.data(), answer.size(), MSG_WAITALL) == static_cast<ssize_t>(answer.size()));
  CHECK(answer == text);
}

static void serve(int listener, int clients, const sockaddr* address, socklen_t length) {
  std::thread server([&] {
    std::vector<std::thread> handlers;
    for (int i = 0; i < clients; ++i) {
      int connection = accept(listener, nullptr, nullptr);
      CHECK(connection >= 0);
      handlers.emplace_back(echo, connection);
    }
    for (auto& handler : handlers)
      handler.join();
  });
  std::vector<std::thread> users;
  for (int i = 0; i < clients; ++i)
    users.emplace_back([=] {
      int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
      CHECK(fd >= 0);
      CHECK(connect(fd, address, length) == 0);
      talk(fd, "client " + std::to_string(i));
      talk(fd, "again");
      close(fd);
    });
  for (auto& user : users)
    user.join();
  server.join();
  close(listener);
}

static void tcp() {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  CHECK(listen(listener, 8) == 0);
  socklen_t length = sizeof address;
  CHECK(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  serve(listener, 3, reinterpret_cast<sockaddr*>(&address), length);
}

static void unixSockets() {
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "heddle-test-%d", getpid());
  auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                       std::strlen(address.sun_path + 1));
  CHECK(bind(listener, reinterpret_cast<sockaddr*>(&address), length) == 0);
  CHECK(listen(listener, 1) == 0);
  serve(listener, 3, reinterpret_cast<sockaddr*>(&address), length);
}

static void udp() {
  int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(receiver, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  socklen_t length = sizeof address;
  CHECK(getsockname(receiver, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  std::thread sender([&] {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < 3; ++i)
      CHECK(sendto(fd, &i, sizeof i, 0, reinterpret_cast<sockaddr*>(&address), length) == sizeof i);
    close(fd);
  });
  for (int i = 0; i < 3; ++i) {
    int value = -1;
    sockaddr_in from{};
    socklen_t bytes = sizeof from;
    CHECK(recvfrom(receiver, &value, sizeof value, 0, reinterpret_cast<sockaddr*>(&from), &bytes) ==
          sizeof value);
    CHECK(value == i && from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  }
  sender.join();
  close(receiver);
}

static void messages() {
  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
  std::thread sender([&] {
    char a[] = "one", b[] = "two";
    iovec parts[2] = {{a, 3}, {b, 3}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    CHECK(sendmsg(pair[0], &message, 0) == 6);
    mmsghdr many[2] = {};
    many[0].msg_hdr = many[1].msg_hdr = message;
    CHECK(sendmmsg(pair[0], many, 2, 0) == 2);
  });
  char buffer[16] = {};
  iovec part{buffer, sizeof buffer};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  CHECK(recvmsg(pair[1], &message, 0) == 6 && std::memcmp(buffer, "onetwo", 6) == 0);
  mmsghdr many[2] = {};
  many[0].msg_hdr = many[1].msg_hdr = message;
  CHECK(recvmmsg(pair[1], many, 2, 0, nullptr) == 2 && many[1].msg_len == 6);
  sender.join();
  close(pair[0]);
  close(pair[1]);
}

static void refused() {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(1);
  CHECK(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == -1 &&
        errno == ECONNREFUSED);
  close(fd);
}

int main() {
  pairs();
  tcp();
  unixSockets();
  udp();
  messages();
  refused();
}
