// Memory that functions without code have written to: no access to what an address leads to that is
// found there is local.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
  long* link;
  long value;
};
struct text {
  char* first;
};
static volatile int chosen;
static long shared;
static struct box common = {&shared, 0};

static void byReallocation(void) {
  struct box* box = malloc(sizeof *box);
  box->link = &shared;
  struct box* more = realloc(box, 64 * sizeof *box);
  *more->link += 1; // not local
  free(more);
}

static void byDuplicate(void) {
  char own[4] = "abc";
  char* text = (char*)&common;
  char* at = chosen ? ((struct text*)strdup(text))->first : own;
  at[0] = 'x'; // not local
}

static void byEmptyBlock(void) {
  char own[4] = "abc";
  struct text* block = calloc(1, sizeof *block);
  char* at = chosen ? block->first : own;
  at[0] = 'x'; // local
  free(block);
}

static void byOut(void) {
  long own = 0;
  void* block = &own;
  if (posix_memalign(&block, 16, 64) != 0)
    return;
  *(long*)block = 1; // not local
  free(block);
}

static void byLine(void) {
  char* line = NULL;
  size_t room = 0;
  FILE* file = fopen("/proc/self/stat", "r");
  if (file && getline(&line, &room, file) > 0)
    line[0] = 'x'; // not local
  free(line);
  if (file)
    fclose(file);
}

static void byPrint(void) {
  char* text = NULL;
  if (asprintf(&text, "%d", 1) > 0)
    text[0] = 'x'; // not local
  free(text);
}

static void byNumber(const char* text) {
  char own[8] = "12x";
  char* end = own;
  strtol(text ? text : own, &end, 10);
  end[0] = 'z'; // not local
}

static void byToken(char* text) {
  char own[8] = "a b";
  char* rest = own;
  char* first = strtok_r(text, " ", &rest);
  first[0] = 'x'; // not local
  rest[0] = 'y';  // not local
}

static int compareLinks(const void* one, const void* other) {
  return *((const struct box*)one)->link < *((const struct box*)other)->link; // not local
}

static void bySearch(void) {
  struct box boxes[2] = {{&shared, 0}, {&shared, 1}};
  struct box key = {&shared, 0};
  qsort(boxes, 2, sizeof *boxes, compareLinks);
  struct box* found = bsearch(&key, boxes, 2, sizeof *boxes, compareLinks);
  if (found)
    found->value = 2; // not local
  boxes[1].value = 3; // not local
}

static void byCopyFunction(void) {
  long own = 0;
  struct box box = {&own, 0};
  void* (*volatile copy)(void*, const void*, size_t) = memcpy;
  copy(&box, &common, sizeof box);
  *box.link += 1; // not local
}

static void byCopyBuiltin(void) {
  long own = 0;
  struct box box = {&own, 0};
  memmove(&box, &common, sizeof box);
  *box.link += 1; // not local
}

static void* work(void* argument) {
  char text[] = "a b c";
  byReallocation();
  byDuplicate();
  byEmptyBlock();
  byOut();
  byLine();
  byPrint();
  byNumber(argument);
  byToken(text);
  bySearch();
  byCopyFunction();
  byCopyBuiltin();
  return NULL;
}

int main(void) {
  pthread_t first, second;
  char number[] = "42 ";
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, number);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
