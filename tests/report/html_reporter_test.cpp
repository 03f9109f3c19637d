#include "samples.h"

#include "report/html_reporter.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <sstream>

namespace heddle::test {

namespace {

std::string render(const std::string& format, const Report& report,
                   const ReportOptions& options = {}) {
  std::ostringstream out;
  (*createReporter(format))->write(report, out, options);
  return out.str();
}

/// What stands in the page's element for data.
std::string dataOf(const std::string& page) {
  const std::string begin = "<script id=\"heddle-data\" type=\"text/plain\">";
  const size_t from = page.find(begin);
  EXPECT_NE(from, std::string::npos);
  const size_t to = page.find("</script>", from);
  return page.substr(from + begin.size(), to - from - begin.size());
}

std::string decoded(const std::string& letters) {
  static const std::string alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  unsigned count = 0;
  for (const char letter : letters) {
    if (letter == '=')
      break;
    bits = bits << 6 | static_cast<unsigned>(alphabet.find(letter));
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xff);
    }
  }
  return bytes;
}

std::string inflated(const std::string& data) {
  std::string text(size_t{4} << 20, '\0');
  uLongf size = text.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(data.data()), data.size()),
            Z_OK);
  text.resize(size);
  return text;
}

} // namespace

TEST(HtmlReporter, ThePageHoldsTheJsonOfTheReport) {
  for (const Sample& sample : samples()) {
    const std::string page = render("html", sample.report);
    const auto data = nlohmann::json::parse(inflated(decoded(dataOf(page))));
    EXPECT_EQ(data, nlohmann::json::parse(render("json", sample.report))) << sample.name;
  }
}

TEST(HtmlReporter, DataOfEveryLengthIsWhole) {
  Report report = nothingReport();
  for (size_t length = 0; length < 12; ++length) {
    report.lost = std::string(length * 7, 'x') + std::to_string(length * 7919);
    const auto data = nlohmann::json::parse(inflated(decoded(dataOf(render("html", report)))));
    EXPECT_EQ(data.at("lost"), report.lost);
  }
}

TEST(HtmlReporter, NothingOfAProgramIsMarkup) {
  Report report = assertionReport();
  report.findings[0].message = "</script><img src=x onerror=alert(1)>";
  ReportOptions options;
  options.readSource = [](const std::string&) {
    return SourceText{"</script><img src=x onerror=alert(1)>\n", false};
  };
  const std::string page = render("html", report, options);
  EXPECT_EQ(page.find("onerror"), std::string::npos);
  // The page as it was built, with other letters in one place.
  EXPECT_EQ(page.size() - dataOf(page).size(),
            viewerPage().size() - std::string("HEDDLE-REPORT-DATA").size());
}

TEST(HtmlReporter, ThePageIsSmallAndFetchesNothing) {
  const std::string page(viewerPage());
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

} // namespace heddle::test
