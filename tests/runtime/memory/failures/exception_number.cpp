// EXPECT: exception "uncaught exception of type `int`: 42"
int main() { throw 42; }
