// Compares what every reporter writes for every sample with the approved files. What differs is
// left in the build folder; tests/report/approve.sh shows it and takes it over.
#include "samples.h"

#include "report/reporter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::test {

namespace fs = std::filesystem;

namespace {

std::string render(const Sample& sample, const std::string& format) {
  auto reporter = createReporter(format);
  EXPECT_TRUE(reporter);
  ReportOptions options;
  options.colour = sample.colour;
  options.showOutput = sample.showOutput;
  std::ostringstream out;
  (*reporter)->write(sample.report, out, options);
  return out.str();
}

/// A new version of heddle is no change of the formats.
std::string withoutVersion(std::string text) {
  const std::string version = "\"" HEDDLE_VERSION "\"";
  for (size_t at = 0; (at = text.find(version, at)) != std::string::npos;)
    text.replace(at, version.size(), "\"VERSION\"");
  return text;
}

std::string readFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every format of a sample where it makes a difference: colours are text's alone. HTML is the JSON
/// in a page, which has tests of its own.
std::vector<std::string> formatsOf(const Sample& sample) {
  if (sample.colour)
    return {"text"};
  std::vector<std::string> formats = reporterNames();
  std::erase(formats, "html");
  return formats;
}

} // namespace

TEST(Approved, EveryFormatOfEverySample) {
  const fs::path approved = fs::path(HEDDLE_TEST_SOURCE_DIR) / "approved";
  const fs::path received = HEDDLE_TEST_RECEIVED_DIR;
  fs::remove_all(received);
  fs::create_directories(received);
  for (const Sample& sample : samples())
    for (const std::string& format : formatsOf(sample)) {
      const std::string name = sample.name + "." + format;
      const std::string text = withoutVersion(render(sample, format));
      std::ofstream(received / name, std::ios::binary) << text;
      EXPECT_TRUE(readFile(approved / name) == text)
          << name << " differs from what is approved: diff " << (approved / name) << " "
          << (received / name) << "\nIf the change is meant, run tests/report/approve.sh";
    }
}

TEST(Approved, NoFileIsLeftOver) {
  std::set<std::string> expected;
  for (const Sample& sample : samples())
    for (const std::string& format : formatsOf(sample))
      expected.insert(sample.name + "." + format);
  for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_TEST_SOURCE_DIR) / "approved"))
    EXPECT_TRUE(expected.count(entry.path().filename())) << entry.path();
}

TEST(Approved, WritingTwiceGivesTheSameBytes) {
  for (const Sample& sample : samples())
    for (const std::string& format : reporterNames())
      EXPECT_EQ(render(sample, format), render(sample, format));
}

} // namespace heddle::test
