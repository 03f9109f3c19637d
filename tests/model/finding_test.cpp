#include "model/finding.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Finding sample() {
  FindingSite site;
  site.location = {"/home/me/src/bank.cpp", 12, 5, "Account::deposit"};
  site.linkageName = "_ZN7Account7depositEi";
  site.access = "write";
  site.object = "Account::balance";
  Finding finding;
  finding.kind = FindingKind::Assertion;
  finding.sites = {site};
  return finding;
}

TEST(Fingerprint, LooksLikeAnId) {
  std::string id = fingerprint(sample());
  EXPECT_EQ(id.substr(0, 2), "H-");
  EXPECT_EQ(id.size(), 14u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef", 2), std::string::npos);
}

TEST(Fingerprint, SurvivesEditsAboveAndMovedFolders) {
  Finding moved = sample();
  moved.sites[0].location.line = 200;
  moved.sites[0].location.column = 1;
  moved.sites[0].location.file = "elsewhere/bank.cpp";
  moved.sites[0].thread = 7;
  moved.message = "other words";
  EXPECT_EQ(fingerprint(moved), fingerprint(sample()));
}

TEST(Fingerprint, TheTestCountsOnlyWithoutAPlace) {
  Finding placed = sample();
  placed.test = "Bank.Pays";
  EXPECT_EQ(fingerprint(placed), fingerprint(sample())) << "one bug, whoever shows it";
  Finding one;
  one.kind = FindingKind::Hang;
  one.message = "no thread progresses";
  Finding other = one;
  one.test = "Bank.Pays";
  other.test = "Bank.Lends";
  EXPECT_NE(fingerprint(one), fingerprint(other));
}

TEST(Fingerprint, TellsFindingsApart) {
  std::string id = fingerprint(sample());
  auto changed = [&](auto change) {
    Finding finding = sample();
    change(finding);
    return fingerprint(finding) != id;
  };
  EXPECT_TRUE(changed([](Finding& f) { f.kind = FindingKind::Crash; }));
  EXPECT_TRUE(changed([](Finding& f) { f.sites[0].ordinal = 1; }));
  EXPECT_TRUE(changed([](Finding& f) { f.sites[0].object = "Account::limit"; }));
  EXPECT_TRUE(changed([](Finding& f) { f.sites[0].access = "read"; }));
  EXPECT_TRUE(changed([](Finding& f) { f.sites[0].linkageName = "_Z1fv"; }));
  EXPECT_TRUE(changed([](Finding& f) { f.sites[0].location.file = "shop.cpp"; }));
  EXPECT_TRUE(changed([](Finding& f) { f.sites.push_back(f.sites[0]); }));
}

TEST(Fingerprint, TellsUnitsApartThatAreTornAtTheSameSites) {
  Finding one = sample(), other = sample();
  EXPECT_EQ(fingerprint(one), fingerprint(other));
  one.units = {"_ZN4Disk7percentEv", "_ZN4Disk4moveEl"};
  other.units = {"_ZN4Disk4fullEv", "_ZN4Disk4moveEl"};
  EXPECT_NE(fingerprint(one), fingerprint(other));
  other.units = {"_ZN4Disk7percentEv", "_ZN4Disk6resizeEl"};
  EXPECT_NE(fingerprint(one), fingerprint(other));
  other.units = one.units;
  EXPECT_EQ(fingerprint(one), fingerprint(other));
}

TEST(Fingerprint, FallsBackToTheFailure) {
  Finding a = sample(), b = sample();
  a.failure = FailureInfo{a.kind, "x", a.sites[0]};
  b.failure = FailureInfo{b.kind, "x", b.sites[0]};
  b.failure->site->object = "other";
  a.sites.clear();
  b.sites.clear();
  EXPECT_NE(fingerprint(a), fingerprint(b));
  a.failure->site.reset();
  b.failure->site.reset();
  EXPECT_EQ(fingerprint(a), fingerprint(b));
  b.failure->message = "y";
  EXPECT_NE(fingerprint(a), fingerprint(b));
}

TEST(FindingNames, RoundTrip) {
  for (int i = 0; i <= static_cast<int>(FindingKind::ExitStatus); ++i) {
    FindingKind kind = static_cast<FindingKind>(i);
    EXPECT_EQ(parseFindingKind(findingKindName(kind)), kind);
  }
  EXPECT_STREQ(findingKindName(FindingKind::MemoryError), "memory-error");
  EXPECT_EQ(parseFindingKind("nonsense"), std::nullopt);
  EXPECT_EQ(parseFindingStatus("harmful"), FindingStatus::Harmful);
  EXPECT_EQ(parseFindingStatus("sure"), std::nullopt);
}

} // namespace
} // namespace heddle
