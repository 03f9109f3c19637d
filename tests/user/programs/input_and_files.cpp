// Reads a line of standard input, writes to its TMPDIR, and to the file that it is given.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

int main(int argc, char** argv) {
  std::string line;
  if (argc > 1 && argv[1] == std::string("read"))
    std::getline(std::cin, line);
  std::ofstream(std::string(std::getenv("TMPDIR")) + "/own") << line;
  if (argc > 2)
    std::ofstream(argv[2]) << line;
  std::thread([] {}).join();
}
