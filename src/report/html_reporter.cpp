#include "report/html_reporter.h"

#include "report/report_json.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <ostream>

namespace heddle {

namespace {

/// Where the page wants its data; viewer/index.html has it once.
constexpr std::string_view kPlace = "HEDDLE-REPORT-DATA";

/// The zlib format, which a browser's DecompressionStream calls "deflate".
std::string deflated(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string data(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(data.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), text.size(), 6);
  if (status != Z_OK) // the buffer is large enough: only memory can be missing
    throw std::bad_alloc();
  data.resize(size);
  return data;
}

std::string base64(const std::string& data) {
  static constexpr char kLetters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((data.size() + 2) / 3 * 4);
  for (size_t i = 0; i < data.size(); i += 3) {
    const size_t count = std::min<size_t>(3, data.size() - i);
    unsigned bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(data[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      text += k <= count ? kLetters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

} // namespace

void HtmlReporter::write(const Report& report, std::ostream& out, const ReportOptions& options) {
  const std::string_view page = viewerPage();
  const size_t place = page.find(kPlace);
  out << page.substr(0, place) << base64(deflated(dumpJson(reportToJson(report, options))))
      << page.substr(place + kPlace.size());
}

} // namespace heddle
