// EXPECT: exception "uncaught exception of type `Nobody`"
struct Nobody {};

int main() { throw Nobody(); }
