#include "report/reporter.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::test {

TEST(Registry, KnowsItsReporters) {
  EXPECT_EQ(reporterNames(),
            (std::vector<std::string>{"text", "json", "sarif", "trace-event", "html"}));
  for (const std::string& name : reporterNames())
    EXPECT_TRUE(createReporter(name)) << name;
}

TEST(Registry, AnUnknownNameListsTheKnownOnes) {
  const auto reporter = createReporter("xml");
  ASSERT_FALSE(reporter);
  EXPECT_TRUE(reporter.error().isUsage());
  EXPECT_NE(reporter.error().message.find("'xml'"), std::string::npos);
  for (const std::string& name : reporterNames())
    EXPECT_NE(reporter.error().message.find(name), std::string::npos) << name;
}

TEST(Registry, ColourOnlyOnATerminalWithoutNoColor) {
  unsetenv("NO_COLOR");
  EXPECT_TRUE(wantColour(true));
  EXPECT_FALSE(wantColour(false));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(wantColour(true));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(wantColour(true));
  unsetenv("NO_COLOR");
}

} // namespace heddle::test
