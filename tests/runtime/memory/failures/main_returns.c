// EXPECT: finished 11
int main(void) { return 11; }
