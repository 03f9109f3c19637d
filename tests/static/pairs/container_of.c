// A callback gets the address of a member, and computes that of the structure, as Linux does.
// clang-format off
// RACY: device->other = 1; => device->state = 1;
// RACY: OWNER(struct device, link, argument); => (struct device*)((char*)argument - __builtin_offsetof(struct device, link)); device->state = 2;
// clang-format on
#include <pthread.h>
#include <stddef.h>

struct device {
  long header;
  int link;
  int state;
  int other;
};

#define OFFSET(type, member) ((unsigned long)&((type*)0)->member)
#define OWNER(type, member, address) (type*)((char*)(address) - OFFSET(type, member))

static void* poll_device(void* argument) {
  struct device* device = OWNER(struct device, link, argument);
  device->other = 1;
  return NULL;
}

int main(void) {
  struct device device = {0};
  pthread_t thread;
  pthread_create(&thread, NULL, poll_device, &device.link);
  device.state = 3;
  pthread_join(thread, NULL);
  return device.other;
}
