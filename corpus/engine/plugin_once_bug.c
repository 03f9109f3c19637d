// Plugins that the first request loads. A plain flag is to make it happen once, but it is tested
// before the loading and set after it, so a second request that comes meanwhile loads them again,
// or goes on with half of them.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const char *plugins[8];
static int pluginCount;
static int loaded;

static void registerPlugin(const char *name) {
  plugins[pluginCount] = name; // RACE!
  pluginCount++;               // RACE!
}

static void loadPlugins(void) {
  registerPlugin("compress");
  registerPlugin("encrypt");
}

static void ensureLoaded(void) {
  if (loaded) // RACE!
    return;
  loadPlugins();
  loaded = 1; // RACE!
}

static void *handleRequest(void *argument) {
  (void)argument;
  ensureLoaded();
  assert(pluginCount == 2);   // EXPECT: assertion // RACE!
  assert(plugins[1] != NULL); // RACE!
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
