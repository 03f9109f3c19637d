#include "sample.h"

#include "store/finding_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle::test {

using Json = nlohmann::ordered_json;

TEST(FindingJson, HasTheFieldsOfTheContract) {
  const Json json = findingToJson(sampleFinding());
  EXPECT_EQ(json.at("id"), "H-3f2a00000001");
  EXPECT_EQ(json.at("kind"), "assertion");
  EXPECT_EQ(json.at("status"), "confirmed");
  EXPECT_EQ(json.at("probability"), 0.25);
  EXPECT_EQ(json.at("replay"), "heddle replay H-3f2a00000001");
  EXPECT_EQ(json.at("trace_digest"), "ffffffffffffffff");
  const Json& site = json.at("sites").at(0);
  EXPECT_EQ(site.at("file"), "bank.cpp");
  EXPECT_EQ(site.at("line"), 30);
  EXPECT_EQ(site.at("column"), 14);
  EXPECT_EQ(site.at("function"), "Account::withdraw(long)");
  EXPECT_EQ(site.at("access"), "write");
  EXPECT_EQ(site.at("object"), "Account::balance_");
  EXPECT_EQ(site.at("thread"), 1);
  EXPECT_EQ(json.at("failure").at("kind"), "assertion");
}

TEST(FindingJson, WhatIsNotThereIsNull) {
  Finding finding = sampleFinding();
  finding.failure.reset();
  finding.probability.reset();
  const Json json = findingToJson(finding);
  EXPECT_TRUE(json.at("failure").is_null());
  EXPECT_TRUE(json.at("probability").is_null());
  finding.failure = FailureInfo{FindingKind::Crash, "SIGSEGV", std::nullopt};
  EXPECT_TRUE(findingToJson(finding).at("failure").at("site").is_null());
}

TEST(FindingJson, ReadsBackWhatItWrote) {
  const Finding finding = sampleFinding();
  const Result<Finding> read = parseFindingJson(dumpJson(findingToJson(finding)));
  ASSERT_TRUE(read) << read.error().message;
  expectEqual(*read, finding);
  // The comparison above goes through the writer; look at fields that it could drop.
  EXPECT_EQ(read->seed, finding.seed);
  EXPECT_EQ(read->digest, finding.digest);
  EXPECT_EQ(read->sites.at(0).linkageName, "_ZN7Account8withdrawEl");
  EXPECT_EQ(read->sites.at(0).ordinal, 2u);
  EXPECT_EQ(read->sites.at(0).role, "freed");
  EXPECT_EQ(read->sites.at(0).size, 8u);
  EXPECT_EQ(read->sites.at(0).stack.size(), 2u);
  EXPECT_EQ(read->threads.at(0).createdAt.size(), 1u);
  EXPECT_EQ(read->threads.at(0).held, finding.threads.at(0).held);
  EXPECT_TRUE(read->steps.at(0).switched);
}

TEST(FindingJson, AMissingOrderIsThereWhenThereIsOne) {
  Finding finding = sampleFinding();
  EXPECT_FALSE(findingToJson(finding).contains("missing_order"));
  finding.missingOrder = {
      "ready",
      {{"a.cpp", 12, 3, "produce()"}, "store", "memory_order_relaxed", "memory_order_release"},
      {{"a.cpp", 15, 9, "consume()"}, "load", "memory_order_acquire", ""}};
  const Json json = findingToJson(finding);
  EXPECT_EQ(json.at("missing_order").at("store").at("needs"), "memory_order_release");
  EXPECT_FALSE(json.at("missing_order").at("load").contains("needs"));
  const Result<Finding> read = parseFindingJson(dumpJson(json));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->missingOrder);
  EXPECT_EQ(read->missingOrder->object, "ready");
  EXPECT_EQ(read->missingOrder->store.location.line, 12u);
  EXPECT_EQ(read->missingOrder->store.needs, "memory_order_release");
  EXPECT_EQ(read->missingOrder->load.order, "memory_order_acquire");
  EXPECT_EQ(read->missingOrder->load.needs, "");
}

TEST(FindingJson, TheTestIsThereWhenThereIsOne) {
  Finding finding = sampleFinding();
  EXPECT_FALSE(findingToJson(finding).contains("test"));
  finding.test = "Bank.Pays";
  const Result<Finding> read = parseFindingJson(dumpJson(findingToJson(finding)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->test, "Bank.Pays");
}

TEST(FindingJson, EveryMissingFieldIsAnError) {
  const Json whole = findingToJson(sampleFinding());
  for (const auto& [key, value] : whole.items()) {
    Json partial = whole;
    partial.erase(key);
    const Result<Finding> read = findingFromJson(partial);
    ASSERT_FALSE(read) << key;
    EXPECT_NE(read.error().message.find(key), std::string::npos) << read.error().message;
  }
}

TEST(FindingJson, WrongTypesAndNamesAreErrors) {
  for (const char* change : {R"({"kind": "nonsense"})", R"({"kind": 7})", R"({"status": "sure"})",
                             R"({"sites": 3})", R"({"sites": [1]})", R"({"seed": "x"})",
                             R"({"failure": {"kind": "crash"}})", R"({"threads": {"a": 1}})"}) {
    Json json = findingToJson(sampleFinding());
    json.update(Json::parse(change));
    EXPECT_FALSE(findingFromJson(json)) << change;
  }
  EXPECT_FALSE(parseFindingJson("{"));
  EXPECT_FALSE(parseFindingJson(""));
  EXPECT_FALSE(parseFindingJson("[]"));
}

TEST(FindingJson, OutputThatIsNotUtf8IsReplacedNotFatal) {
  Finding finding = sampleFinding();
  finding.output = "a\xff"
                   "b";
  const std::string text = dumpJson(findingToJson(finding));
  const Result<Finding> read = parseFindingJson(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->output, "a\xef\xbf\xbd"
                          "b");
}

} // namespace heddle::test
