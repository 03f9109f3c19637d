#include "sample.h"

#include "store/bundle.h"
#include "store/compression.h"

#include <gtest/gtest.h>

namespace heddle::test {

namespace {

Bundle sampleBundle() {
  Bundle bundle;
  bundle.finding = {sampleFinding(), sampleRun(), "2001-01-01T00:00:00Z", "2002-02-02T00:00:00Z",
                    3};
  bundle.points = PointsSet{"P-1", "build", {static_cast<SiteIdentity>(0x8000000000000001)}};
  bundle.files = {{"/home/user/bank", 0755,
                   std::string("\x7f"
                               "ELF\0\xff",
                               6)},
                  {"lib.so", 0644, ""}};
  return bundle;
}

constexpr size_t kHeaderBytes = sizeof("heddle bundle 1\n") - 1;

} // namespace

TEST(Bundle, HoldsEverything) {
  const std::string bytes = packBundle(sampleBundle());
  ASSERT_TRUE(looksLikeBundle(bytes));
  const auto bundle = unpackBundle(bytes);
  ASSERT_TRUE(bundle) << bundle.error().message;
  expectEqual(bundle->finding.finding, sampleFinding());
  expectEqual(bundle->finding.run, sampleRun());
  EXPECT_EQ(bundle->finding.timesSeen, 3u);
  EXPECT_EQ(bundle->finding.firstSeen, "2001-01-01T00:00:00Z");
  ASSERT_TRUE(bundle->points);
  EXPECT_EQ(bundle->points->id, "P-1");
  EXPECT_EQ(bundle->points->sites, sampleBundle().points->sites);
  ASSERT_EQ(bundle->files.size(), 2u);
  EXPECT_EQ(bundle->files[0].contents, sampleBundle().files[0].contents);
  EXPECT_EQ(bundle->files[1].mode, 0644u);
}

TEST(Bundle, PointsAndFilesMayBeAbsent) {
  Bundle bundle = sampleBundle();
  bundle.points.reset();
  bundle.files.clear();
  const auto read = unpackBundle(packBundle(bundle));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->points);
  EXPECT_TRUE(read->files.empty());
}

TEST(Bundle, CutAnywhereIsAnError) {
  const std::string bytes = packBundle(sampleBundle());
  for (size_t length = 0; length < bytes.size(); ++length)
    ASSERT_FALSE(unpackBundle(std::string_view(bytes).substr(0, length))) << length;
}

TEST(Bundle, NoChangedByteGoesUnnoticed) {
  const std::string bytes = packBundle(sampleBundle());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    const auto bundle = unpackBundle(changed);
    // A few bits of a zstd frame mean nothing; a checksum covers what it holds.
    if (bundle)
      EXPECT_EQ(packBundle(*bundle), bytes) << i;
  }
}

TEST(Bundle, FieldsThatLieAboutTheirLengthAreErrors) {
  const std::string bytes = packBundle(sampleBundle());
  const std::string fields = *decompress(bytes.substr(kHeaderBytes), size_t{1} << 30);
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string changed = fields;
    changed[i] = '\xff';
    const auto bundle = unpackBundle(bytes.substr(0, kHeaderBytes) + compress(changed));
    if (bundle)
      EXPECT_LE(bundle->files.size(), 3u);
  }
  EXPECT_FALSE(unpackBundle(bytes.substr(0, kHeaderBytes) + compress(fields + "more")));
}

TEST(Bundle, OtherVersionsAndOtherFilesAreRefused) {
  std::string bytes = packBundle(sampleBundle());
  bytes[sizeof("heddle bundle ") - 1] = '2';
  EXPECT_TRUE(looksLikeBundle(bytes));
  EXPECT_NE(unpackBundle(bytes).error().message.find("another format version"), std::string::npos);
  EXPECT_FALSE(looksLikeBundle("\x7f"
                               "ELF"));
  EXPECT_NE(unpackBundle("hello").error().message.find("heddle export"), std::string::npos);
}

TEST(Compression, RefusesToGrowBeyondTheLimit) {
  const std::string frame = compress(std::string(10'000'000, '\0'));
  EXPECT_LT(frame.size(), 10'000u);
  EXPECT_FALSE(decompress(frame, 9'999'999));
  EXPECT_TRUE(decompress(frame, 10'000'000));
  EXPECT_FALSE(decompress("", 100));
  EXPECT_FALSE(decompress("not a frame", 100));
}

} // namespace heddle::test
