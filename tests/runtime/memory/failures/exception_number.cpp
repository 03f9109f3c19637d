// EXPECT: exception "uncaught exception of type `_ZTIi`: 42"
int main() { throw 42; }
