// The racing memory is freed by one thread while the other may still read it.
#include <thread>

struct Cell {
  int value = 7;
};

int main() {
  Cell *cell = new Cell;
  int seen = 0;
  std::thread reader([&] { seen = cell->value; }); // read
  std::thread owner([&] { delete cell; });         // free
  reader.join();
  owner.join();
  return seen == 12345;
}
