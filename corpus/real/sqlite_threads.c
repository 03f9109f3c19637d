// heddle-corpus: flags=-lsqlite3
// SQLite in its multi-threaded modes: one connection in serialized mode that all threads use, and
// for each thread a connection of its own to a shared in-memory database.
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 2 };

static sqlite3* common;
static int rounds = 400;

static void execute(sqlite3* database, const char* sql) {
  char* message = NULL;
  int status;
  do
    status = sqlite3_exec(database, sql, NULL, NULL, &message);
  while (status == SQLITE_BUSY || status == SQLITE_LOCKED);
  if (status != SQLITE_OK)
    fprintf(stderr, "%s: %s\n", sql, message);
  assert(status == SQLITE_OK);
}

static long query(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement;
  assert(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK);
  assert(sqlite3_step(statement) == SQLITE_ROW);
  long value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return value;
}

static void* use(void* argument) {
  size_t self = (size_t)argument;
  sqlite3* own;
  char sql[128];
  assert(sqlite3_open_v2(":memory:", &own, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
         SQLITE_OK);
  execute(own, "create table squares(number integer primary key, square integer)");
  for (int i = 0; i < rounds; ++i) {
    snprintf(sql, sizeof sql, "insert into squares values(%d, %d)", i, i * i);
    execute(own, sql);
    snprintf(sql, sizeof sql, "insert into journal(thread, number) values(%zu, %d)", self, i);
    execute(common, sql);
  }
  assert(query(own, "select count(*) from squares where square = number * number") == rounds);
  sqlite3_close(own);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  assert(sqlite3_threadsafe());
  assert(sqlite3_open_v2(":memory:", &common, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX,
                         NULL) == SQLITE_OK);
  execute(common, "create table journal(id integer primary key, thread integer, number integer)");
  for (size_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, use, (void*)i);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(query(common, "select count(*) from journal") == (long)kThreads * rounds);
  assert(query(common, "select sum(number) from journal") == (long)rounds * (rounds - 1));
  sqlite3_close(common);
  return 0;
}
