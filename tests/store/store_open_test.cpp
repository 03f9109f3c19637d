#include "sample.h"

#include "store/database.h"
#include "store/schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {

namespace {

std::string readBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void execute(const std::string& path, const char* sql) {
  auto database = Database::open(path, Database::Mode::ReadWrite);
  ASSERT_TRUE(database);
  const Status done = (*database)->execute(sql);
  ASSERT_TRUE(done) << done.error().message;
}

void fill(const std::string& directory) {
  auto store = Store::open(directory);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(store->addFinding(sampleFinding(), sampleRun()));
}

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Runs the check as a user without rights, in a child: root may write everywhere.
template <typename Check> void asNobody(Check check) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0))
      _exit(77);
    check();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace

TEST(StoreOpen, CreatesTheFolderAndKeepsItOutOfGit) {
  const TemporaryFolder folder;
  fill(folder / "a/b/.heddle");
  EXPECT_EQ(readBytes(folder / "a/b/.heddle/.gitignore"), "*\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "a/b/.heddle/store.db"));
}

TEST(StoreOpen, AnotherVersionIsRefusedAndUntouched) {
  const TemporaryFolder folder;
  fill(folder / "s");
  execute(folder / "s/store.db", "PRAGMA journal_mode=DELETE;"
                                 "UPDATE schema SET version = 99, heddle = '7.5.0'");
  const std::string before = readBytes(folder / "s/store.db");
  for (const auto access : {Store::Access::ReadWrite, Store::Access::ReadOnly}) {
    const auto store = Store::open(folder / "s", access);
    ASSERT_FALSE(store);
    EXPECT_TRUE(store.error().isUsage());
    expectContains(store.error().message, "version 99");
    expectContains(store.error().message, "heddle 7.5.0");
    expectContains(store.error().message, "--store");
  }
  EXPECT_EQ(readBytes(folder / "s/store.db"), before);
}

TEST(StoreOpen, AForeignDatabaseIsRefusedAndUntouched) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "s");
  execute(folder / "s/store.db", "CREATE TABLE schema(other TEXT)");
  const std::string before = readBytes(folder / "s/store.db");
  const auto store = Store::open(folder / "s");
  ASSERT_FALSE(store);
  expectContains(store.error().message, "did not write");
  EXPECT_EQ(readBytes(folder / "s/store.db"), before);
}

TEST(StoreOpen, AFileThatIsNoDatabaseIsRefusedAndUntouched) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "s");
  const std::string text(5000, 'x');
  std::ofstream(folder / "s/store.db") << text;
  const auto store = Store::open(folder / "s");
  ASSERT_FALSE(store);
  expectContains(store.error().message, "damaged");
  EXPECT_EQ(readBytes(folder / "s/store.db"), text);
}

TEST(StoreOpen, ReadingNeedsAStore) {
  const TemporaryFolder folder;
  const auto store = Store::open(folder / "none", Store::Access::ReadOnly);
  ASSERT_FALSE(store);
  expectContains(store.error().message, "there is no store");
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(StoreOpen, AFileInTheWayIsAnError) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  const auto store = Store::open(folder / "file/.heddle");
  ASSERT_FALSE(store);
  EXPECT_TRUE(store.error().isUsage());
  expectContains(store.error().message, "--store");
}

TEST(StoreOpen, AnUnwritableParentIsAnError) {
  const TemporaryFolder folder;
  chmod(folder.path().c_str(), 0555);
  asNobody([&] {
    const auto store = Store::open(folder / ".heddle");
    ASSERT_FALSE(store);
    expectContains(store.error().message, "Permission denied");
    expectContains(store.error().message, "--store");
  });
  chmod(folder.path().c_str(), 0755);
}

TEST(StoreOpen, AnUnwritableStoreCanBeReadButNotWritten) {
  const TemporaryFolder folder;
  fill(folder / "s");
  for (const char* name : {"s/store.db", "s/traces", "s"})
    chmod((folder / name).c_str(), 0555);
  chmod(folder.path().c_str(), 0755);
  asNobody([&] {
    const auto reader = Store::open(folder / "s", Store::Access::ReadOnly);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_TRUE(reader->finding("H-3f2a"));

    auto writer = Store::open(folder / "s");
    const Status added =
        writer ? writer->addFinding(sampleFinding("H-other"), sampleRun()) : Status(writer.error());
    ASSERT_FALSE(added);
    EXPECT_TRUE(added.error().isUsage());
    expectContains(added.error().message, "--store");
  });
  for (const char* name : {"s", "s/traces"})
    chmod((folder / name).c_str(), 0755);
}

} // namespace heddle::test
