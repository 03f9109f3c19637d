#include "report/source_excerpts.h"

#include "report/paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

constexpr unsigned kLinesAround = 8;
constexpr size_t kMaxLine = 400; ///< characters; generated code has longer ones
constexpr size_t kMaxFile = size_t{16} * 1024 * 1024; ///< bytes of a file that is read
constexpr size_t kMaxAll = size_t{8} * 1024 * 1024;   ///< bytes of lines in one report

/// The lines that a report names, by file.
class NamedLines {
public:
  void add(const Finding& finding) {
    for (const FindingSite& site : finding.sites)
      add(site);
    for (const RelatedPattern& related : finding.related)
      for (const FindingSite& site : related.sites)
        add(site);
    if (finding.failure && finding.failure->site)
      add(*finding.failure->site);
    for (const Step& step : finding.steps)
      add(step.location);
    for (const ThreadInfo& thread : finding.threads) {
      add(thread.stack);
      add(thread.createdAt);
    }
    for (const PathPair& pair : finding.paths) {
      add(pair.first.stack);
      add(pair.second.stack);
    }
    if (finding.missingOrder) {
      add(finding.missingOrder->store.location);
      add(finding.missingOrder->load.location);
    }
  }

  const std::map<std::string, std::set<unsigned>>& files() const { return files_; }

private:
  void add(const Location& location) {
    if (!location.file.empty() && location.line != 0)
      files_[location.file].insert(location.line);
  }
  void add(const FindingSite& site) {
    add(site.location);
    add(site.stack);
  }
  void add(const Stack& stack) {
    for (const Location& frame : stack)
      if (!isLibraryFile(frame.file))
        add(frame);
  }

  std::map<std::string, std::set<unsigned>> files_;
};

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, std::min(end - start, kMaxLine));
    if (line.ends_with('\r'))
      line.pop_back();
    lines.push_back(std::move(line));
    start = end + 1;
  }
  return lines;
}

/// The wanted lines with those around them, as parts that do not touch each other.
Json partsOf(const std::vector<std::string>& lines, const std::set<unsigned>& wanted,
             size_t& bytesLeft) {
  Json parts = Json::array();
  unsigned next = 1; // the first line that is in no part yet
  for (const unsigned line : wanted) {
    const unsigned first = std::max(line > kLinesAround ? line - kLinesAround : 1, next);
    const auto last = std::min<size_t>(line + kLinesAround, lines.size());
    if (first > last)
      continue;
    if (parts.empty() || first > next)
      parts.push_back({{"first", first}, {"text", Json::array()}});
    for (size_t i = first; i <= last; ++i) {
      const std::string& text = lines[i - 1];
      if (text.size() + 1 > bytesLeft)
        return parts;
      bytesLeft -= text.size() + 1;
      parts.back()["text"].push_back(text);
    }
    next = static_cast<unsigned>(last) + 1;
  }
  return parts;
}

} // namespace

Json sourceExcerpts(const Report& report, const SourceReader& read) {
  NamedLines named;
  for (const Finding& finding : report.findings)
    named.add(finding);
  Json sources = Json::array();
  size_t bytesLeft = kMaxAll;
  for (const auto& [file, wanted] : named.files()) {
    const auto source = read(file);
    if (!source) {
      sources.push_back({{"file", file}, {"missing", true}});
      continue;
    }
    const std::vector<std::string> lines = linesOf(source->text);
    Json entry{{"file", file}, {"lines", lines.size()}};
    if (source->changed)
      entry["changed"] = true;
    entry["parts"] = partsOf(lines, wanted, bytesLeft);
    sources.push_back(std::move(entry));
  }
  return sources;
}

SourceReader sourceFileReader(const std::string& program) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const auto built =
      program.empty() ? fs::file_time_type::max() : fs::last_write_time(program, failed);
  const auto newest = failed ? fs::file_time_type::max() : built;
  return [newest](const std::string& file) -> std::optional<SourceText> {
    std::error_code error;
    if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kMaxFile || error)
      return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    SourceText source{{std::istreambuf_iterator<char>(in), {}}, false};
    if (in.bad())
      return std::nullopt;
    const auto written = fs::last_write_time(file, error);
    source.changed = !error && written > newest;
    return source;
  };
}

} // namespace heddle
