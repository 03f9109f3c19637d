// EXPECT: crash "illegal instruction"
int main(void) { __builtin_trap(); }
