// heddle-corpus: flags=-llmdb short=10
// LMDB: two writers and two readers on one environment. Writers take a robust mutex in memory that
// is shared with other processes, readers take slots of a table there; pages are read from a
// mapping of the file.
#define _GNU_SOURCE
#include <assert.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kWriters = 2, kReaders = 2 };

static MDB_env* env;
static MDB_dbi dbi;
static int rounds = 500;

static long get(MDB_txn* txn, const char* name) {
  MDB_val key = {strlen(name), (void*)name}, value;
  int rc = mdb_get(txn, dbi, &key, &value);
  assert(rc == 0 || rc == MDB_NOTFOUND);
  long number = 0;
  if (rc == 0)
    memcpy(&number, value.mv_data, sizeof number);
  return number;
}

static void put(MDB_txn* txn, const char* name, long number) {
  MDB_val key = {strlen(name), (void*)name}, value = {sizeof number, &number};
  assert(mdb_put(txn, dbi, &key, &value, 0) == 0);
}

static void* writer(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    MDB_txn* txn;
    assert(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    put(txn, "left", get(txn, "left") + 1);
    put(txn, "right", get(txn, "right") - 1);
    assert(mdb_txn_commit(txn) == 0);
  }
  return NULL;
}

static void* reader(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    MDB_txn* txn;
    assert(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) == 0);
    assert(get(txn, "left") == -get(txn, "right"));
    mdb_txn_abort(txn);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kWriters + kReaders];
  char folder[200], file[256];
  const char* temporary = getenv("TMPDIR");
  MDB_txn* txn;
  if (argc > 1)
    rounds = atoi(argv[1]);
  snprintf(folder, sizeof folder, "%s/lmdb_readers.XXXXXX", temporary ? temporary : "/tmp");
  assert(mkdtemp(folder));
  assert(mdb_env_create(&env) == 0);
  // While a reader is in a transaction, what writers replace is kept.
  assert(mdb_env_set_mapsize(env, 256 << 20) == 0);
  assert(mdb_env_open(env, folder, MDB_NOSYNC, 0600) == 0);
  assert(mdb_txn_begin(env, NULL, 0, &txn) == 0);
  assert(mdb_dbi_open(txn, NULL, 0, &dbi) == 0);
  assert(mdb_txn_commit(txn) == 0);
  for (int i = 0; i < kWriters + kReaders; ++i)
    assert(pthread_create(&threads[i], NULL, i < kWriters ? writer : reader, NULL) == 0);
  for (int i = 0; i < kWriters + kReaders; ++i)
    pthread_join(threads[i], NULL);
  assert(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) == 0);
  assert(get(txn, "left") == (long)kWriters * rounds);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  snprintf(file, sizeof file, "%s/data.mdb", folder);
  unlink(file);
  snprintf(file, sizeof file, "%s/lock.mdb", folder);
  unlink(file);
  rmdir(folder);
}
