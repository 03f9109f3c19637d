// Prints what random sources give: the same in every controlled run, whatever the schedule.
#include "check.h"

#include <fcntl.h>
#include <fstream>
#include <random>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

int main() {
  uint32_t word = 0;
  CHECK(getrandom(&word, sizeof word, 0) == sizeof word);
  std::printf("%08x ", word);
  CHECK(getentropy(&word, sizeof word) == 0);
  std::printf("%08x ", word);
  std::random_device device;
  std::printf("%08x %08x ", device(), device());
  int fd = open("/dev/urandom", O_RDONLY);
  CHECK(fd >= 0 && read(fd, &word, sizeof word) == sizeof word);
  std::printf("%08x ", word);
  close(fd);
  std::ifstream stream("/dev/urandom", std::ios::binary);
  CHECK(stream.read(reinterpret_cast<char*>(&word), sizeof word));
  std::printf("%08x ", word);
  FILE* file = fopen("/dev/urandom", "r");
  CHECK(file && fread(&word, sizeof word, 1, file) == 1);
  std::printf("%08x\n", word);
  fclose(file);
}
