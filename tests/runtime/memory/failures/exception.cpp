// EXPECT: exception "uncaught exception of type `std::out_of_range`: nowhere"
#include <stdexcept>

int main() { throw std::out_of_range("nowhere"); }
