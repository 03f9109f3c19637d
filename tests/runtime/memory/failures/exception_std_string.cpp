// EXPECT: exception "`_ZTINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE`: some text"
#include <string>

int main() { throw std::string("some text"); }
