#include "char_array_writer.h"

int main() {
  CharArrayWriter writer, other(8);
  writer.write('a');
  writer.write("bcd", 0, 2);
  writer.write(std::string("efg"), 1, 2);
  writer.append(std::string("hi"));
  writer.append(std::string("jkl"), 0, 1);
  writer.append('m');
  writer.writeTo(other);
  (void)writer.toCharArray();
  (void)writer.toString();
  (void)writer.size();
  writer.flush();
  writer.reset();
  writer.close();
}
