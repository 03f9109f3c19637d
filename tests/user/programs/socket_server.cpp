// A server on a loopback port that never ends, and two clients. Argument "bug": it counts requests
// without a lock; "quiet": without the clients.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <thread>

std::atomic<int> requests;
bool bug;

void serve(int connection) {
  char byte;
  while (read(connection, &byte, 1) == 1) {
    if (bug) {
      int seen = requests;
      requests = seen + 1;
    } else {
      ++requests;
    }
    if (write(connection, &byte, 1) != 1)
      break;
  }
  close(connection);
}

void ask(sockaddr_in address) {
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  char byte = 'x';
  if (connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      write(connection, &byte, 1) != 1 || read(connection, &byte, 1) != 1)
    perror("client");
  close(connection);
}

int main(int argc, char** argv) {
  bug = argc > 1 && !strcmp(argv[1], "bug");
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  if (bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listening, 8) != 0 ||
      getsockname(listening, reinterpret_cast<sockaddr*>(&address), &bytes) != 0) {
    perror("server");
    return 1;
  }
  if (argc <= 1 || strcmp(argv[1], "quiet"))
    std::thread([address] {
      std::thread first(ask, address), second(ask, address);
      first.join();
      second.join();
      assert(requests == 2);
    }).detach();
  for (;;) {
    int connection = accept(listening, nullptr, nullptr);
    if (connection < 0)
      return 1;
    std::thread(serve, connection).detach();
  }
}
