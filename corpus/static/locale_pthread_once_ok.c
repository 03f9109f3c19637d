// Month names of a locale, loaded by pthread_once. The formatter and the parser both go through the
// function that loads them.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { MONTHS = 3 };

struct locale {
  const char *months[MONTHS];
  size_t longest;
  int count;
};

static struct locale locale;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void load_month(const char *name) {
  size_t length = strlen(name);
  locale.months[locale.count] = name; // NORACE
  locale.count++;                     // NORACE
  if (length > locale.longest)        // NORACE
    locale.longest = length;          // NORACE
}

static void load_locale(void) {
  load_month("january");
  load_month("february");
  load_month("march");
}

static const struct locale *get_locale(void) {
  pthread_once(&loaded, load_locale);
  return &locale;
}

static void *format_date(void *argument) {
  const struct locale *current = get_locale();
  size_t *width = argument;
  *width = strlen(current->months[1]) + current->longest; // NORACE
  return NULL;
}

static void *parse_date(void *argument) {
  int *month = argument;
  *month = get_locale()->count; // NORACE
  return NULL;
}

int main(void) {
  pthread_t formatter, parser;
  size_t width;
  int month;
  pthread_create(&formatter, NULL, format_date, &width);
  pthread_create(&parser, NULL, parse_date, &month);
  pthread_join(formatter, NULL);
  pthread_join(parser, NULL);
  return width == 16 && month == MONTHS ? 0 : 1; // NORACE
}
