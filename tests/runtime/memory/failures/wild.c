// EXPECT: crash "segmentation fault: read at 0x7000"
int main(void) { return *(volatile int*)0x7000; }
