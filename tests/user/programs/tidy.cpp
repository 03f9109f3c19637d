// No second thread.
int main() { return 0; }
