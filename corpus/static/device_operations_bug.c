// Devices with a table of operations each, called through the table. The disk takes its lock in all
// of its operations; the network card forgot it in its status.
#include <pthread.h>
#include <stddef.h>

struct device;

struct operations {
  void (*write)(struct device *device, int bytes);
  int (*status)(struct device *device);
};

struct device {
  const struct operations *operations;
  pthread_mutex_t lock;
  int written;
  int errors;
};

static void disk_write(struct device *device, int bytes) {
  pthread_mutex_lock(&device->lock);
  device->written += bytes; // NORACE
  pthread_mutex_unlock(&device->lock);
}

static int disk_status(struct device *device) {
  pthread_mutex_lock(&device->lock);
  int written = device->written; // NORACE
  pthread_mutex_unlock(&device->lock);
  return written;
}

static void card_write(struct device *device, int bytes) {
  pthread_mutex_lock(&device->lock);
  device->written += bytes;       // RACE!
  device->errors += bytes > 1000; // NORACE
  pthread_mutex_unlock(&device->lock);
}

static int card_status(struct device *device) {
  int written = device->written; // RACE!
  return written;
}

static const struct operations disk_operations = {disk_write, disk_status};
static const struct operations card_operations = {card_write, card_status};
static struct device devices[] = {{&disk_operations, PTHREAD_MUTEX_INITIALIZER, 0, 0},
                                  {&card_operations, PTHREAD_MUTEX_INITIALIZER, 0, 0}};

static void *write_all(void *argument) {
  for (int round = 0; round < 4; ++round)
    for (int i = 0; i < 2; ++i)
      devices[i].operations->write(&devices[i], 100); // NORACE
  return argument;
}

static void *watch(void *argument) {
  int written = 0;
  for (int i = 1; i >= 0; --i)
    written += devices[i].operations->status(&devices[i]); // NORACE
  return written <= 800 ? NULL : argument;
}

int main(void) {
  pthread_t writer, monitor;
  pthread_create(&writer, NULL, write_all, NULL);
  pthread_create(&monitor, NULL, watch, devices);
  pthread_join(writer, NULL);
  pthread_join(monitor, NULL);
  return devices[0].written == 400 && devices[1].written == 400 ? 0 : 1; // NORACE
}
