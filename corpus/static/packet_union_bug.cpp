// A packet whose payload is a union of a number and a text. The decoder writes the number while the
// logger reads the text: different members of a union are the same memory.
#include <cstring>
#include <thread>

union Payload {
  int number;
  char text[8];
};

struct Packet {
  int length;
  int decoded;
  Payload payload;
};

static Packet makePacket(const char *text) {
  Packet packet = {};
  packet.length = static_cast<int>(std::strlen(text));
  std::memcpy(packet.payload.text, text, 8); // NORACE
  return packet;
}

static void decode(Packet &packet) {
  int number = 0;
  for (int i = 0; i < packet.length; ++i) // NORACE
    number = number * 10 + i;
  packet.payload.number = number; // RACE!
  packet.decoded = 1;             // NORACE
}

static int checksum(const Packet &packet) {
  int sum = 0;
  for (int i = 0; i < packet.length; ++i) // NORACE
    sum += packet.payload.text[i];        // RACE!
  return sum;
}

int main() {
  Packet packet = makePacket("1234567"); // NORACE
  int sum = 0;
  std::thread decoder([&packet] { decode(packet); });
  std::thread logger([&] { sum = checksum(packet); });
  decoder.join();
  logger.join();
  if (packet.decoded != 1 || packet.payload.number == 0) // NORACE
    return 1;
  return sum != -1 ? 0 : 1; // NORACE
}
