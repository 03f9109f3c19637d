#include "report/interleaving.h"

#include "report/wording.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle {

namespace {

/// Beyond this many threads a column each is narrower than what it has to hold.
constexpr size_t kMaxColumns = 6;
constexpr size_t kMaxCell = 40;

/// How much room a table takes.
struct Layout {
  bool columnPerThread = true;
  size_t cell = kMaxCell; ///< widest one of a thread's column
  bool folders = true;    ///< of files
};

/// The roomiest first.
constexpr Layout kLayouts[] = {{true, kMaxCell, true}, {true, 32, true},  {true, 26, true},
                               {true, 26, false},      {true, 20, false}, {false, kMaxCell, true},
                               {false, 32, false},     {false, 20, false}};

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// Characters on the screen, taking every UTF-8 sequence for one.
size_t width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), startsCharacter));
}

std::string padded(std::string text, size_t columns) {
  const size_t used = width(text);
  if (used < columns)
    text.append(columns - used, ' ');
  return text;
}

/// The first characters of the text, or the last ones.
std::string firstPart(const std::string& text, size_t most) {
  size_t end = 0;
  for (size_t seen = 0; end < text.size(); ++end)
    if (startsCharacter(text[end]) && ++seen > most)
      break;
  return text.substr(0, end);
}

std::string lastPart(const std::string& text, size_t most) {
  size_t begin = text.size();
  for (size_t seen = 0; begin > 0 && seen < most; --begin)
    if (startsCharacter(text[begin - 1]))
      ++seen;
  return text.substr(begin);
}

/// The middle of a long name says least: its beginning has the kind, its end the member.
std::string shortened(const std::string& text, size_t most) {
  if (width(text) <= most)
    return text;
  const size_t end = (most - 1) / 2;
  return firstPart(text, most - 1 - end) + "…" + lastPart(text, end);
}

/// The value is why the step is shown, and stays whole.
std::string cellText(const Step& step, size_t widest) {
  const std::string value = oneLine(step.value);
  const size_t used = value.empty() ? 0 : width(value) + 1;
  const size_t least = widest * 3 / 5; // of a cell, before its value
  const size_t most = used + least < widest ? widest - used : least;
  return shortened(oneLine(step.action), most) + (value.empty() ? "" : " " + value);
}

std::string columnTitle(const Finding& finding, unsigned thread) {
  const std::string title = "T" + std::to_string(thread);
  if (thread == 0)
    return title + " main";
  for (const ThreadInfo& info : finding.threads)
    if (info.index == thread && !info.name.empty())
      return title + " " + oneLine(info.name);
  return title;
}

/// One row of cells; the widths of columns are found over all of them.
using Row = std::vector<std::string>;

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::vector<std::string> aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  }
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += padded(row[i], widths[i]) + "  ";
    lines.push_back(trimmed(line));
  }
  return lines;
}

size_t widest(const std::vector<std::string>& lines) {
  size_t most = 0;
  for (const std::string& line : lines)
    most = std::max(most, width(line));
  return most;
}

class Table {
public:
  Table(const Finding& finding, unsigned maxSteps, const Layout& layout)
      : finding_(finding), maxSteps_(maxSteps), layout_(layout) {
    std::set<unsigned> threads;
    for (const Step& step : finding.steps)
      threads.insert(step.thread);
    columnPerThread_ = layout.columnPerThread && threads.size() <= kMaxColumns;
    if (columnPerThread_)
      for (const unsigned thread : threads)
        columns_.emplace(thread, columns_.size());
  }

  std::vector<std::string> lines() const {
    std::vector<Row> rows{titles()};
    const size_t count = finding_.steps.size();
    const size_t limit = std::max(maxSteps_, 2u);
    // What led to the failure stands at the end, so more of the end is kept.
    const size_t head = count <= limit ? count : limit / 3;
    const size_t tail = count <= limit ? count : count - (limit - head);
    for (size_t i = 0; i < head; ++i)
      rows.push_back(rowOf(finding_.steps[i]));
    const size_t gap = rows.size();
    for (size_t i = tail; i < count; ++i)
      rows.push_back(rowOf(finding_.steps[i]));
    std::vector<std::string> lines = aligned(rows);
    if (count > limit)
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(gap),
                   "    ... " + counted(tail - head, "step") + " left out ...");
    return lines;
  }

private:
  Row titles() const {
    Row row{"", "step"};
    if (!columnPerThread_) {
      row.insert(row.end(), {"thread", "action"});
    } else {
      row.resize(2 + columns_.size());
      for (const auto& [thread, column] : columns_)
        row[2 + column] = columnTitle(finding_, thread);
    }
    row.emplace_back("at");
    return row;
  }

  Row rowOf(const Step& step) const {
    Row row{step.switched ? ">>" : "", std::to_string(step.index)};
    if (!columnPerThread_) {
      row.insert(row.end(), {columnTitle(finding_, step.thread), cellText(step, layout_.cell)});
    } else {
      row.resize(2 + columns_.size());
      row[2 + columns_.at(step.thread)] = cellText(step, layout_.cell);
    }
    row.push_back(placeOf(step.location));
    return row;
  }

  std::string placeOf(Location location) const {
    if (!layout_.folders)
      location.file = location.file.substr(location.file.rfind('/') + 1);
    return locationText(location);
  }

  const Finding& finding_;
  unsigned maxSteps_;
  Layout layout_;
  bool columnPerThread_ = true;
  std::map<unsigned, size_t> columns_;
};

} // namespace

std::vector<std::string> interleavingTable(const Finding& finding, unsigned maxSteps,
                                           unsigned columns) {
  std::vector<std::string> lines;
  if (finding.steps.empty())
    return lines;
  for (const Layout& layout : kLayouts) {
    lines = Table(finding, maxSteps, layout).lines();
    if (columns == 0 || widest(lines) <= columns)
      return lines;
  }
  for (std::string& line : lines)
    line = shortened(line, std::max(columns, 2u));
  return lines;
}

} // namespace heddle
