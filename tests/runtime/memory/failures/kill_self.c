// EXPECT: crash "SIGTERM"
// EXPECT: signal 15
#include <signal.h>
#include <unistd.h>

int main(void) { kill(getpid(), SIGTERM); }
