// EXPECT: exception "uncaught exception of type `_ZTIPKc`: only text"
int main() { throw "only text"; }
