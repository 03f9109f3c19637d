// Plugins that the first request loads. pthread_once runs the loading exactly once, and every
// caller returns from it only when the loading is complete.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const char *plugins[8];
static int pluginCount;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void registerPlugin(const char *name) {
  plugins[pluginCount] = name; // NORACE
  pluginCount++;               // NORACE
}

static void loadPlugins(void) {
  registerPlugin("compress");
  registerPlugin("encrypt");
}

static void *handleRequest(void *argument) {
  (void)argument;
  pthread_once(&loaded, loadPlugins);
  assert(pluginCount == 2);   // NORACE
  assert(plugins[1] != NULL); // NORACE
  return NULL;
}

int main(void) {
  pthread_t handlers[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&handlers[i], NULL, handleRequest, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(handlers[i], NULL);
  return 0;
}
