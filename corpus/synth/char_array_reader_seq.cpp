#include "char_array_reader.h"

int main() {
  CharArrayReader reader("what is read");
  (void)reader.markSupported();
  (void)reader.ready();
  (void)reader.read();
  (void)reader.read(2);
  reader.mark(10);
  (void)reader.skip(1);
  reader.reset();
  reader.close();
}
