// EXPECT: exception "uncaught exception of type `_ZTI6Nobody`"
struct Nobody {};

int main() { throw Nobody(); }
