// EXPECT: exception "`std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >`: some text"
#include <string>

int main() { throw std::string("some text"); }
