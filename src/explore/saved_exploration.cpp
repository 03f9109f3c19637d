#include "saved_exploration.h"

#include <cstdio>
#include <cstring>
#include <fstream>

namespace heddle::explore {

namespace {

constexpr uint64_t kFormat = 0x6865645361766531; // "hedSave1"

/// Words in the order in which they are written.
class Writer {
public:
  void add(uint64_t word) { words_.push_back(word); }
  template <typename Words> void addAll(const Words& words) {
    add(words.size());
    words_.insert(words_.end(), words.begin(), words.end());
  }
  void addText(const std::string& text) {
    add(text.size());
    for (size_t at = 0; at < text.size(); at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
      add(word);
    }
  }
  const std::vector<uint64_t>& words() const { return words_; }

private:
  std::vector<uint64_t> words_;
};

class Reader {
public:
  explicit Reader(std::vector<uint64_t> words) : words_(std::move(words)) {}
  uint64_t next() { return at_ < words_.size() ? words_[at_++] : (isCut_ = true, 0); }
  /// How many things follow; none if there is no room for them.
  uint64_t count() {
    uint64_t count = next();
    if (count > words_.size() - at_ && count > words_.size() * sizeof(uint64_t))
      isCut_ = true;
    return isCut_ ? 0 : count;
  }
  std::vector<uint64_t> all() {
    std::vector<uint64_t> words;
    for (uint64_t left = count(); left > 0 && !isCut_; --left)
      words.push_back(next());
    return words;
  }
  std::string text() {
    std::string text(count(), ' ');
    for (size_t at = 0; at < text.size() && !isCut_; at += sizeof(uint64_t)) {
      uint64_t word = next();
      std::memcpy(text.data() + at, &word, std::min(sizeof word, text.size() - at));
    }
    return text;
  }
  bool isWhole() const { return !isCut_ && at_ == words_.size(); }

private:
  std::vector<uint64_t> words_;
  size_t at_ = 0;
  bool isCut_ = false;
};

void write(Writer& writer, const ProgramKnowledge& knowledge) {
  std::vector<uint64_t> paths;
  for (ThreadPath path : knowledge.threads.paths())
    paths.push_back(raw(path));
  writer.addAll(paths);
  writer.addAll(knowledge.sites);
  writer.addAll(knowledge.guards);
  std::vector<uint64_t> words;
  for (const auto& [word, value] : knowledge.words)
    words.insert(words.end(), {word, value ? 1u : 0u, value.value_or(0)});
  writer.addAll(words);
  std::vector<uint64_t> ordered;
  for (const auto& [barrier, users] : knowledge.barriers)
    if (users.isOrdered)
      ordered.push_back(barrier);
  writer.addAll(ordered);
  writer.addAll(knowledge.sharing.save());
}

void read(Reader& reader, ProgramKnowledge& knowledge) {
  for (uint64_t path : reader.all())
    knowledge.threads.of(static_cast<ThreadPath>(path));
  for (uint64_t site : reader.all())
    knowledge.sites.insert(site);
  for (uint64_t guard : reader.all())
    knowledge.guards.insert(guard);
  auto words = reader.all();
  for (size_t i = 0; i + 2 < words.size(); i += 3)
    knowledge.words[words[i]] =
        words[i + 1] != 0 ? std::optional(static_cast<uint32_t>(words[i + 2])) : std::nullopt;
  for (uint64_t barrier : reader.all())
    knowledge.barriers[barrier].isOrdered = true;
  knowledge.sharing.resume(reader.all());
}

/// Ordered pairs are left out: whoever goes on shows them for what it finds.
void write(Writer& writer, const ExplorationReport& report) {
  writer.add(report.runs);
  writer.add(report.reopened);
  writer.add(report.caveats.size());
  for (const std::string& caveat : report.caveats)
    writer.addText(caveat);
  writer.add(report.failures.size());
  for (const FoundFailure& failure : report.failures) {
    writer.add(static_cast<uint64_t>(failure.kind));
    writer.add(raw(failure.site));
    writer.add(failure.classes);
    writer.add(failure.firstRun);
    std::vector<uint64_t> steps;
    for (const Choice& choice : failure.schedule)
      steps.push_back(uint64_t{choice.thread} << 32 | choice.choice);
    writer.addAll(steps);
  }
}

void read(Reader& reader, ExplorationReport& report) {
  report.runs = reader.next();
  report.reopened = reader.next();
  for (uint64_t left = reader.count(); left > 0; --left)
    report.caveats.insert(reader.text());
  for (uint64_t left = reader.count(); left > 0; --left) {
    FoundFailure failure;
    failure.kind = static_cast<FailureKind>(reader.next());
    failure.site = static_cast<SiteIdentity>(reader.next());
    failure.classes = reader.next();
    failure.firstRun = reader.next();
    for (uint64_t step : reader.all())
      failure.schedule.push_back(
          {static_cast<ThreadNumber>(step >> 32), static_cast<uint32_t>(step)});
    report.failures.push_back(std::move(failure));
  }
}

} // namespace

void saveExploration(const std::string& file, uint64_t key, const SavedExploration& saved) {
  Writer writer;
  writer.add(kFormat);
  writer.add(key);
  write(writer, saved.knowledge);
  write(writer, saved.report);
  writer.addAll(saved.search);
  std::string written = file + ".new";
  std::ofstream stream(written, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(writer.words().data()),
               static_cast<std::streamsize>(writer.words().size() * sizeof(uint64_t)));
  stream.close();
  if (stream)
    std::rename(written.c_str(), file.c_str());
}

Result<std::optional<SavedExploration>> loadExploration(const std::string& file, uint64_t key) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream)
    return std::optional<SavedExploration>();
  std::vector<uint64_t> words(static_cast<size_t>(stream.tellg()) / sizeof(uint64_t));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(words.data()),
              static_cast<std::streamsize>(words.size() * sizeof(uint64_t)));
  Reader reader(std::move(words));
  if (!stream || reader.next() != kFormat)
    return Error{"the saved exploration " + file +
                 " cannot be read: it is of another version; explore without --resume"};
  if (reader.next() != key)
    return Error{"the saved exploration " + file +
                 " is of another program, other arguments or other options; explore without "
                 "--resume, or name another --store"};
  SavedExploration saved;
  read(reader, saved.knowledge);
  read(reader, saved.report);
  saved.search = reader.all();
  if (!reader.isWhole())
    return Error{"the saved exploration " + file +
                 " cannot be read: it is cut short; explore without --resume"};
  return std::optional(std::move(saved));
}

} // namespace heddle::explore
