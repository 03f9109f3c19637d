#include "sample.h"

#include <gtest/gtest.h>

#include <fstream>

namespace heddle::test {

namespace {

std::vector<SiteIdentity> sites(std::initializer_list<uint64_t> identities) {
  std::vector<SiteIdentity> list;
  for (const uint64_t identity : identities)
    list.push_back(static_cast<SiteIdentity>(identity));
  return list;
}

Store openStore(const std::string& path) {
  auto store = Store::open(path);
  if (!store)
    throw std::runtime_error(store.error().message);
  return std::move(*store);
}

void writeText(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string readText(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST(StorePoints, UnionOverRecordings) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  ASSERT_FALSE(*store.currentPoints("build"));
  const auto first = store.addPoints("build", sites({5, 1, 5}));
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->sites, sites({1, 5}));
  const auto second = store.addPoints("build", sites({0xffffffffffffffff, 1}));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->sites, sites({1, 5, 0xffffffffffffffff}));
  EXPECT_NE(first->id, second->id);
  const auto current = store.currentPoints("build");
  ASSERT_TRUE(current && *current);
  EXPECT_EQ((*current)->id, second->id);
  EXPECT_EQ((*current)->sites, second->sites);
}

TEST(StorePoints, NothingNewIsTheSameSet) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  const auto first = store.addPoints("build", sites({1, 2}));
  const auto again = store.addPoints("build", sites({2}));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->id, again->id);
  EXPECT_EQ(again->sites, sites({1, 2}));
}

TEST(StorePoints, TheIdDependsOnContentsAlone) {
  const TemporaryFolder folder;
  Store left = openStore(folder / "left");
  Store right = openStore(folder / "right");
  ASSERT_TRUE(left.addPoints("build", sites({3})));
  const auto a = left.addPoints("build", sites({1}));
  const auto b = right.addPoints("build", sites({1, 3}));
  const auto c = right.addPoints("other build", sites({1, 3}));
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->id, b->id);
  EXPECT_NE(b->id, c->id);
}

TEST(StorePoints, OlderSetsStay) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  const auto first = store.addPoints("build", sites({1}));
  ASSERT_TRUE(first && store.addPoints("build", sites({2})));
  const auto old = store.points(first->id);
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->sites, sites({1}));
  EXPECT_EQ(old->build, "build");
  EXPECT_FALSE(store.points("P-unknown"));
}

TEST(StorePoints, ImportedSetsAreNotCurrent) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  ASSERT_TRUE(store.importPoints({"P-1", "build", sites({9})}));
  EXPECT_FALSE(*store.currentPoints("build"));
  EXPECT_EQ(store.points("P-1")->sites, sites({9}));
}

TEST(StoreTraces, KeptUnderAnId) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  auto pending = store.beginTrace();
  ASSERT_TRUE(pending) << pending.error().message;
  writeText(pending->path(), "events");
  const auto kept = store.keepTrace(std::move(*pending), "H-a", "/bin/a", 10, 0xffffffffffffffff);
  ASSERT_TRUE(kept) << kept.error().message;
  const auto path = store.tracePath(kept->id);
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_EQ(readText(*path), "events");
  const auto list = store.traces();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 1u);
  EXPECT_EQ(list->at(0).finding, "H-a");
  EXPECT_EQ(list->at(0).program, "/bin/a");
  EXPECT_EQ(list->at(0).events, 10u);
  EXPECT_EQ(list->at(0).digest, 0xffffffffffffffff);
  EXPECT_FALSE(store.tracePath("t99"));
}

TEST(StoreTraces, DroppedLeavesNothing) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  std::string path;
  {
    auto pending = store.beginTrace();
    ASSERT_TRUE(pending);
    path = pending->path();
    EXPECT_TRUE(std::filesystem::exists(path));
    PendingTrace moved = std::move(*pending);
    EXPECT_TRUE(std::filesystem::exists(moved.path()));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "s/traces"));
}

TEST(StoreTraces, AFileThatVanishedIsAnErrorAndNoRow) {
  const TemporaryFolder folder;
  Store store = openStore(folder / "s");
  auto pending = store.beginTrace();
  ASSERT_TRUE(pending);
  std::filesystem::remove(pending->path());
  EXPECT_FALSE(store.keepTrace(std::move(*pending), "H-a", "/bin/a", 1, 1));
  EXPECT_TRUE(store.traces()->empty());
}

} // namespace heddle::test
