#include "branch.h"

namespace heddle::explore {

namespace {

uint64_t pack(StepName name) { return uint64_t{name.thread} << 32 | name.index; }
StepName unpackName(uint64_t word) {
  return {static_cast<uint32_t>(word >> 32), static_cast<uint32_t>(word)};
}

/// Takes words one after the other, and remembers when there was none left.
class Words {
public:
  Words(const std::vector<uint64_t>& words, size_t& position)
      : words_(words), position_(position) {}
  uint64_t next() {
    if (position_ < words_.size())
      return words_[position_++];
    ok_ = false;
    return 0;
  }
  /// A number of things that follow, which cannot be more than there are words.
  size_t count() {
    uint64_t number = next();
    if (number > words_.size() - position_)
      ok_ = false;
    return ok_ ? static_cast<size_t>(number) : 0;
  }
  bool ok() const { return ok_; }

private:
  const std::vector<uint64_t>& words_;
  size_t& position_;
  bool ok_ = true;
};

} // namespace

void write(const Branch& branch, std::vector<uint64_t>& words) {
  words.push_back(branch.schedule.size());
  for (size_t i = 0; i < branch.schedule.size(); ++i) {
    words.push_back(pack({branch.schedule[i].thread, branch.schedule[i].choice}));
    words.push_back(branch.stageOf[i]);
  }
  words.push_back(branch.stages.size());
  for (const Stage& stage : branch.stages) {
    words.push_back(pack(stage.main));
    words.push_back(pack({stage.turn, (stage.isPull ? 1u : 0u) | (stage.byDefault ? 2u : 0u)}));
  }
  words.push_back(branch.expectations.size());
  for (const Expectation& expectation : branch.expectations) {
    words.push_back(pack(expectation.reader));
    words.push_back(static_cast<uint64_t>(expectation.writing));
    words.push_back(expectation.sources.size());
    for (StepName source : expectation.sources)
      words.push_back(pack(source));
  }
  words.push_back(static_cast<uint64_t>(branch.pair));
  words.push_back(raw(branch.first));
  words.push_back(raw(branch.second));
}

bool read(const std::vector<uint64_t>& words, size_t& position, Branch& branch) {
  Words in(words, position);
  branch = {};
  for (size_t left = in.count(); left > 0 && in.ok(); --left) {
    StepName name = unpackName(in.next());
    branch.schedule.push_back({name.thread, name.index});
    branch.stageOf.push_back(static_cast<uint32_t>(in.next()));
  }
  for (size_t left = in.count(); left > 0 && in.ok(); --left) {
    Stage stage;
    stage.main = unpackName(in.next());
    StepName rest = unpackName(in.next());
    stage.turn = rest.thread;
    stage.isPull = (rest.index & 1) != 0;
    stage.byDefault = (rest.index & 2) != 0;
    branch.stages.push_back(stage);
  }
  for (size_t left = in.count(); left > 0 && in.ok(); --left) {
    Expectation expectation;
    expectation.reader = unpackName(in.next());
    expectation.writing = static_cast<Writing>(in.next() % 3);
    for (size_t sources = in.count(); sources > 0 && in.ok(); --sources)
      expectation.sources.push_back(unpackName(in.next()));
    branch.expectations.push_back(std::move(expectation));
  }
  branch.pair = static_cast<PairKind>(in.next() % 5);
  branch.first = static_cast<SiteIdentity>(in.next());
  branch.second = static_cast<SiteIdentity>(in.next());
  return in.ok();
}

} // namespace heddle::explore
