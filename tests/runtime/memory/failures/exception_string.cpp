// EXPECT: exception "uncaught exception of type `char const*`: only text"
int main() { throw "only text"; }
