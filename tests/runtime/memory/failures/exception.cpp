// EXPECT: exception "uncaught exception of type `_ZTISt12out_of_range`: nowhere"
#include <stdexcept>

int main() { throw std::out_of_range("nowhere"); }
