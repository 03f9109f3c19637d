#include "model/trace_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

class TraceFile : public testing::Test {
protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() /
             ("heddle-trace-" + std::to_string(getpid()) + ".trace"))
                .string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  static Event event(uint64_t number) {
    Event event{};
    event.address = number * 8;
    event.kind = static_cast<uint8_t>(EventKind::Write);
    event.site = static_cast<uint32_t>(number % 3 + 1);
    event.thread = number % 5;
    event.size = 4;
    return event;
  }

  static SiteCatalog catalog() {
    std::vector<SiteEntry> entries(4);
    for (size_t i = 1; i < entries.size(); ++i) {
      entries[i].identity = static_cast<SiteIdentity>(1000 + i);
      entries[i].linkageName = "_Z6workerv";
      entries[i].file = "a.cpp";
      entries[i].line = static_cast<uint32_t>(i);
      entries[i].object = "counter";
      entries[i].kind = SiteKind::AtomicUpdate;
      entries[i].flags = kSiteLibrary;
      entries[i].learned = kLearnedShared;
    }
    return SiteCatalog(std::move(entries));
  }

  void write(uint64_t count) {
    auto writer = TraceWriter::create(path_);
    ASSERT_TRUE(writer) << writer.error().message;
    std::vector<Event> events;
    for (uint64_t i = 0; i < count; ++i)
      events.push_back(event(i));
    // Uneven pieces, as a ring delivers them.
    for (size_t at = 0; at < events.size(); at += 1000)
      ASSERT_TRUE(writer->append(
          std::span(events).subspan(at, std::min<size_t>(1000, events.size() - at))));
    EXPECT_EQ(writer->eventCount(), count);
    ASSERT_TRUE(writer->finish(catalog()));
  }

  std::vector<std::byte> bytes() const {
    std::ifstream file(path_, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
  }

  std::string path_;
};

TEST_F(TraceFile, RoundTripsOverSeveralBlocks) {
  constexpr uint64_t kCount = 150'001;
  write(kCount);
  uint64_t seen = 0;
  bool equal = true;
  auto sites = TraceReader::read(path_, [&](std::span<const Event> events) {
    for (const Event& got : events) {
      Event expected = event(seen++);
      equal = equal && memcmp(&got, &expected, sizeof(got)) == 0;
    }
  });
  ASSERT_TRUE(sites) << sites.error().message;
  EXPECT_EQ(seen, kCount);
  EXPECT_TRUE(equal);
  ASSERT_EQ(sites->size(), 3u);
  const SiteEntry* site = sites->find(static_cast<SiteIdentity>(1002));
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->function, "worker()");
  EXPECT_EQ(site->line, 2u);
  EXPECT_EQ(site->object, "counter");
  EXPECT_EQ(site->kind, SiteKind::AtomicUpdate);
  EXPECT_EQ(site->flags, kSiteLibrary);
}

TEST_F(TraceFile, ComparesWellWithItsEvents) {
  write(100'000);
  EXPECT_LT(std::filesystem::file_size(path_), 100'000 * sizeof(Event) / 3);
}

TEST_F(TraceFile, EmptyTraceRoundTrips) {
  write(0);
  auto sites = TraceReader::read(path_, [](std::span<const Event>) { FAIL(); });
  EXPECT_TRUE(sites);
}

TEST_F(TraceFile, UnfinishedFileSaysSo) {
  {
    auto writer = TraceWriter::create(path_);
    ASSERT_TRUE(writer);
    Event one = event(1);
    ASSERT_TRUE(writer->append({&one, 1}));
  }
  auto sites = TraceReader::read(path_, [](std::span<const Event>) {});
  ASSERT_FALSE(sites);
  EXPECT_NE(sites.error().message.find("interrupted"), std::string::npos) << sites.error().message;
}

TEST_F(TraceFile, EveryTruncationIsAnError) {
  write(300);
  std::vector<std::byte> all = bytes();
  for (size_t length = 0; length < all.size(); ++length) {
    auto sites = TraceReader::read(std::span(all).first(length), "x", [](auto) {});
    ASSERT_FALSE(sites) << length;
  }
}

TEST_F(TraceFile, FlippedBytesNeverCrash) {
  write(300);
  std::vector<std::byte> all = bytes();
  for (size_t at = 0; at < all.size(); ++at) {
    std::vector<std::byte> damaged = all;
    damaged[at] ^= std::byte{0x55};
    (void)!TraceReader::read(damaged, "x", [](auto) {});
  }
}

TEST_F(TraceFile, OtherFilesAndVersionsAreNamed) {
  std::ofstream(path_) << "something else entirely";
  auto sites = TraceReader::read(path_, [](auto) {});
  ASSERT_FALSE(sites);
  EXPECT_NE(sites.error().message.find("not a heddle trace"), std::string::npos);
  write(1);
  std::vector<std::byte> all = bytes();
  all[8] = std::byte{9};
  sites = TraceReader::read(all, "x", [](auto) {});
  ASSERT_FALSE(sites);
  EXPECT_NE(sites.error().message.find("format 9"), std::string::npos) << sites.error().message;
}

TEST_F(TraceFile, AFullDiskIsAnError) {
  auto writer = TraceWriter::create("/dev/full");
  if (!writer)
    return; // refused at once: fine, too
  Event one = event(1);
  Status status = writer->append({&one, 1});
  if (status)
    status = writer->finish(catalog());
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos)
      << status.error().message;
}

} // namespace
} // namespace heddle
