// EXPECT: assertion "Unexpected error: No such file or directory."
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <errno.h>

int main(void) { assert_perror(ENOENT); }
