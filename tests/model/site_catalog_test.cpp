#include "model/site_catalog.h"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle {
namespace {

/// A site region with one site, laid out as the runtime does.
class RegionBuilder {
public:
  RegionBuilder() : bytes_(sizeof(SiteRegionHeader) + 2 * sizeof(DumpedSite)) {
    SiteRecord& record = site().record;
    record.identity = 77;
    record.function = add("_ZN7Account7depositEi");
    record.file = add("bank.cpp");
    record.object = add("Account::balance");
    record.line = 12;
    record.column = 5;
    record.kind = SiteKind::Write;
    record.size = 4;
    site().learned = kLearnedShared;
    header() = {1, static_cast<uint32_t>(strings_.size()), 1, 1};
  }

  SiteRegionHeader& header() { return *reinterpret_cast<SiteRegionHeader*>(bytes_.data()); }
  DumpedSite& site() {
    return *reinterpret_cast<DumpedSite*>(bytes_.data() + sizeof(SiteRegionHeader) +
                                          sizeof(DumpedSite));
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> all = bytes_;
    auto* text = reinterpret_cast<const std::byte*>(strings_.data());
    all.insert(all.end(), text, text + strings_.size());
    return all;
  }

private:
  uint32_t add(const char* text) {
    uint32_t offset = static_cast<uint32_t>(strings_.size());
    strings_.append(text, strlen(text) + 1);
    return offset;
  }
  std::vector<std::byte> bytes_;
  std::string strings_ = std::string(1, '\0');
};

TEST(SiteCatalog, ReadsWhatTheRuntimeDumped) {
  RegionBuilder builder;
  auto catalog = SiteCatalog::fromRegion(builder.bytes());
  ASSERT_TRUE(catalog) << catalog.error().message;
  ASSERT_EQ(catalog->size(), 1u);
  const SiteEntry* site = catalog->find(static_cast<SiteId>(1));
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->function, "Account::deposit(int)");
  EXPECT_EQ(site->linkageName, "_ZN7Account7depositEi");
  EXPECT_EQ(site->file, "bank.cpp");
  EXPECT_EQ(site->object, "Account::balance");
  EXPECT_EQ(site->line, 12u);
  EXPECT_EQ(site->kind, SiteKind::Write);
  EXPECT_EQ(site->learned, kLearnedShared);
  EXPECT_TRUE(site->isUserCode());
  EXPECT_EQ(catalog->find(static_cast<SiteIdentity>(77)), site);
}

TEST(SiteCatalog, KnowsNothingBeyondItsTable) {
  auto catalog = SiteCatalog::fromRegion(RegionBuilder().bytes());
  ASSERT_TRUE(catalog);
  EXPECT_EQ(catalog->find(SiteId::None), nullptr);
  EXPECT_EQ(catalog->find(static_cast<SiteId>(2)), nullptr);
  EXPECT_EQ(catalog->find(static_cast<SiteIdentity>(78)), nullptr);
  EXPECT_EQ(SiteCatalog().find(static_cast<SiteId>(1)), nullptr);
}

TEST(SiteCatalog, SurvivesWildStringOffsets) {
  RegionBuilder builder;
  builder.site().record.object = 0xfffffff0;
  auto catalog = SiteCatalog::fromRegion(builder.bytes());
  ASSERT_TRUE(catalog);
  EXPECT_EQ(catalog->find(static_cast<SiteId>(1))->object, "");
}

TEST(SiteCatalog, RefusesTablesThatDoNotFit) {
  RegionBuilder builder;
  builder.header().siteCount = 1000;
  EXPECT_FALSE(SiteCatalog::fromRegion(builder.bytes()));
  EXPECT_FALSE(SiteCatalog::fromRegion(std::span<const std::byte>()));
}

TEST(SiteCatalog, AnUnfinishedDumpIsLostControl) {
  RegionBuilder builder;
  builder.header().complete = 0;
  auto catalog = SiteCatalog::fromRegion(builder.bytes());
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().kind, ErrorKind::LostControl);
}

TEST(Demangle, LeavesCNamesAlone) {
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("i"), "i") << "a C function, not the type int";
  EXPECT_EQ(demangle("_ZN3foo3barEv"), "foo::bar()");
  EXPECT_EQ(demangle("_Zgarbage"), "_Zgarbage");
}

} // namespace
} // namespace heddle
