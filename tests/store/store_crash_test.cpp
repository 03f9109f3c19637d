#include "sample.h"

#include "store/database.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {

namespace {

std::string idOf(char writer, int number) {
  char text[32];
  std::snprintf(text, sizeof text, "H-%c%011d", writer, number);
  return text;
}

template <typename Work> pid_t inChild(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return child;
}

int exitStatus(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expectIntact(const std::string& directory) {
  auto database = Database::open(directory + "/store.db", Database::Mode::ReadWrite);
  ASSERT_TRUE(database);
  Statement check(**database, "PRAGMA integrity_check");
  ASSERT_TRUE(check.next());
  EXPECT_EQ(check.bytes(0), "ok");
}

} // namespace

TEST(StoreCrash, ProcessesShareAStore) {
  const TemporaryFolder folder;
  constexpr int kEach = 40;
  std::vector<pid_t> children;
  // All of them create the store at the same time, too.
  for (const char writer : {'a', 'b', 'c'})
    children.push_back(inChild([&] {
      auto store = Store::open(folder / "s");
      if (!store)
        _exit(1);
      for (int i = 0; i < kEach; ++i) {
        if (!store->addFinding(sampleFinding(idOf(writer, i)), sampleRun()))
          _exit(2);
        const auto site = static_cast<SiteIdentity>(writer * 1000 + i);
        if (!store->addPoints("build", {site}))
          _exit(3);
      }
    }));
  for (const pid_t child : children)
    EXPECT_EQ(exitStatus(child), 0);
  const auto store = Store::open(folder / "s", Store::Access::ReadOnly);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(store->findings()->size(), 3u * kEach);
  const auto points = store->currentPoints("build");
  ASSERT_TRUE(points && *points);
  EXPECT_EQ((*points)->sites.size(), 3u * kEach);
  expectIntact(folder / "s");
}

TEST(StoreCrash, WhatWasAddedSurvivesAKill) {
  const TemporaryFolder folder;
  for (int round = 0; round < 5; ++round) {
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t child = inChild([&] {
      auto store = Store::open(folder / "s");
      for (int i = 0; store; ++i) {
        if (!store->addFinding(sampleFinding(idOf(static_cast<char>('a' + round), i)), sampleRun()))
          _exit(1);
        if (write(pipes[1], &i, sizeof i) != sizeof i)
          _exit(2);
      }
    });
    close(pipes[1]);
    int last = -1;
    while (last < 10 + round * 7 && read(pipes[0], &last, sizeof last) == sizeof last) {
    }
    kill(child, SIGKILL);
    exitStatus(child);
    while (read(pipes[0], &last, sizeof last) == sizeof last) {
    }
    close(pipes[0]);
    const auto store = Store::open(folder / "s", Store::Access::ReadOnly);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_GE(last, 10);
    for (int i = 0; i <= last; ++i) {
      const auto stored = store->finding(idOf(static_cast<char>('a' + round), i));
      ASSERT_TRUE(stored) << stored.error().message;
    }
  }
  expectIntact(folder / "s");
}

TEST(StoreCrash, AFullDiskLosesNothing) {
  const TemporaryFolder folder;
  {
    auto store = Store::open(folder / "s");
    ASSERT_TRUE(store && store->addFinding(sampleFinding("H-first"), sampleRun()));
  }
  const pid_t child = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto store = Store::open(folder / "s");
    if (!store)
      _exit(1);
    Finding large = sampleFinding("H-large");
    for (int i = 0; i < 100'000; ++i)
      large.output += std::to_string(i * 2654435761u);
    const Status added = store->addFinding(large, sampleRun());
    if (added)
      _exit(2);
    if (added.error().message.find("disk is full") == std::string::npos ||
        !added.error().isUsage()) {
      std::fprintf(stderr, "%s\n", added.error().message.c_str());
      _exit(3);
    }
    // The store goes on with what still fits.
    if (!store->finding("H-first"))
      _exit(4);
    if (!store->addFinding(sampleFinding("H-second"), sampleRun()))
      _exit(5);
  });
  EXPECT_EQ(exitStatus(child), 0);
  const auto store = Store::open(folder / "s", Store::Access::ReadOnly);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE(store->finding("H-first"));
  EXPECT_TRUE(store->finding("H-second"));
  EXPECT_FALSE(store->finding("H-large"));
  expectIntact(folder / "s");
}

TEST(StoreCrash, SqlitesOwnFullIsTheSameError) {
  const TemporaryFolder folder;
  auto database = Database::open(folder / "d.db", Database::Mode::ReadWrite);
  ASSERT_TRUE(database);
  ASSERT_TRUE((*database)->execute("CREATE TABLE t(x); PRAGMA max_page_count = 4"));
  Statement insert(**database, "INSERT INTO t VALUES(?)");
  const Status status = insert.bindBlob(std::string(100'000, 'x')).run();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("disk is full"), std::string::npos);
  EXPECT_TRUE(status.error().isUsage());
}

TEST(StoreCrash, OldTemporaryTracesGo) {
  const TemporaryFolder folder;
  {
    ASSERT_TRUE(Store::open(folder / "s"));
  }
  for (const char* name : {"s/traces/.new-1-0", "s/traces/.new-2-0", "s/traces/t1.trace"})
    std::ofstream(folder / name) << "x";
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(48);
  std::filesystem::last_write_time(folder / "s/traces/.new-1-0", old);
  std::filesystem::last_write_time(folder / "s/traces/t1.trace", old);
  {
    ASSERT_TRUE(Store::open(folder / "s"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "s/traces/.new-1-0"));
  EXPECT_TRUE(std::filesystem::exists(folder / "s/traces/.new-2-0"));
  EXPECT_TRUE(std::filesystem::exists(folder / "s/traces/t1.trace"));
}

} // namespace heddle::test
