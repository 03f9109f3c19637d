#include "fake_command.h"

#include "pipeline/stages/scheduler.h"

#include <algorithm>

namespace heddle {
namespace {

/// What a stage of the test does in its turns, and how it stands after them.
struct Script {
  std::string name;
  std::vector<Turn> turns;
  std::vector<size_t> newsAfter = {}; ///< numbers of all turns after which it has news
  bool open = false;
};

class ScriptedStage final : public Stage {
public:
  ScriptedStage(Script script, std::vector<std::string>& calls)
      : script_(std::move(script)), calls_(calls) {}

  Turn advance() override {
    calls_.push_back(script_.name);
    return taken_ < script_.turns.size() ? script_.turns[taken_++] : Turn{};
  }
  bool wantsMore() const override { return taken_ < script_.turns.size(); }
  bool hasNews() const override {
    return std::find(script_.newsAfter.begin(), script_.newsAfter.end(), calls_.size()) !=
           script_.newsAfter.end();
  }
  bool hasOpen() const override { return script_.open; }

private:
  Script script_;
  std::vector<std::string>& calls_;
  size_t taken_ = 0;
};

struct Row {
  const char* what;
  std::vector<Script> list;
  std::string turns; ///< that must come out
  bool isError = false;
};

class Schedulers : public StoreTest {};

TEST_F(Schedulers, DecideWhoGetsTheNextRuns) {
  const Turn goesOn;
  Turn ends, settled, lost;
  ends.endsSearch = true;
  settled.settled = true;
  lost.error = Error{"lost", ErrorKind::LostControl};
  Turn settledAndEnds = settled;
  settledAndEnds.endsSearch = true;
  const std::vector<Row> rows = {
      {"each has a first turn, in the order of the list",
       {{"a", {goesOn}}, {"b", {goesOn}}, {"c", {goesOn}}},
       "a b c"},
      {"the first one may end the search", {{"a", {ends}}, {"b", {goesOn}}}, "a"},
      {"the last one goes on while it wants to",
       {{"a", {goesOn}}, {"b", {goesOn}}, {"c", {goesOn, goesOn, goesOn}}},
       "a b c c c"},
      {"what it has shown to others comes before its next turn",
       {{"a", {goesOn}}, {"b", {goesOn, goesOn}, {4}}, {"c", {goesOn, goesOn, goesOn}}},
       "a b c c b c"},
      {"open ones get runs when it has settled, and not before",
       {{"a", {goesOn}},
        {"b", {goesOn, goesOn}, {}, true},
        {"c", {goesOn, goesOn, settled, goesOn}}},
       "a b c c c b c"},
      {"also when it ends with that",
       {{"a", {goesOn}}, {"b", {goesOn, goesOn}, {}, true}, {"c", {goesOn, settledAndEnds}}},
       "a b c c b"},
      {"news do not count then",
       {{"a", {goesOn}}, {"b", {goesOn, goesOn}, {4}}, {"c", {goesOn, settled, goesOn}}},
       "a b c c c"},
      {"an error ends it", {{"a", {goesOn}}, {"b", {lost}}, {"c", {goesOn}}}, "a b", true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    CommandContext context(fakeProgram({}), quickOptions(100), nullptr);
    SearchState search(context, "check", /*samples=*/true);
    std::vector<std::string> calls;
    std::vector<ListedStage> list;
    for (const Script& script : row.list)
      list.push_back({std::make_unique<ScriptedStage>(script, calls), {}});
    Status status = Scheduler(search, std::move(list)).execute();
    EXPECT_EQ(!status, row.isError);
    std::string turns;
    for (const std::string& call : calls)
      turns += (turns.empty() ? "" : " ") + call;
    EXPECT_EQ(turns, row.turns);
  }
}

/// Says what is left for it when its turn comes.
class SharingStage final : public Stage {
public:
  SharingStage(SearchState& search, std::vector<std::optional<uint64_t>>& left)
      : search_(search), left_(left) {}
  Turn advance() override {
    left_.push_back(search_.context.budget.runsLeft());
    return {};
  }

private:
  SearchState& search_;
  std::vector<std::optional<uint64_t>>& left_;
};

TEST_F(Schedulers, KeepStagesToTheirShares) {
  CommandContext context(fakeProgram({}), quickOptions(100), nullptr);
  context.budget.limitRuns();
  SearchState search(context, "check", /*samples=*/true);
  std::vector<std::optional<uint64_t>> left;
  std::vector<ListedStage> list;
  list.push_back({std::make_unique<SharingStage>(search, left), {}});
  list.push_back({std::make_unique<SharingStage>(search, left), {.runs = 0.25}});
  list.push_back({std::make_unique<SharingStage>(search, left), {}});
  ASSERT_TRUE(Scheduler(search, std::move(list)).execute());
  EXPECT_EQ(left, (std::vector<std::optional<uint64_t>>{100, 25, 100}));
}

/// Uses all runs of its short turns; each of them shows something new, or none does.
class OpeningStage final : public Stage {
public:
  OpeningStage(SearchState& search, bool isFresh) : search_(search), isFresh_(isFresh) {}
  Turn advance() override {
    beforeFirst_ = runs_;
    return {};
  }
  bool wantsShortTurn() const override { return true; }
  Turn advanceShortly() override {
    uint64_t runs = search_.context.budget.runsLeft().value_or(0);
    search_.context.tally.runs += runs;
    runs_ += runs;
    Turn turn;
    turn.fresh = isFresh_ ? runs : 0;
    return turn;
  }
  uint64_t runs() const { return runs_; }
  uint64_t runsBeforeItsFirstTurn() const { return beforeFirst_; }

private:
  SearchState& search_;
  bool isFresh_;
  uint64_t runs_ = 0;
  uint64_t beforeFirst_ = 0;
};

/// Runs that a stage with news and one without them get in the opening.
std::pair<uint64_t, uint64_t> runsOfOpening(SearchState& search) {
  search.context.budget.limitRuns();
  auto useful = std::make_unique<OpeningStage>(search, true);
  auto useless = std::make_unique<OpeningStage>(search, false);
  OpeningStage& first = *useful;
  OpeningStage& second = *useless;
  std::vector<std::string> calls;
  std::vector<ListedStage> list;
  list.push_back({std::make_unique<ScriptedStage>(Script{}, calls), {}});
  list.push_back({std::move(useful), {.inOpening = true}});
  list.push_back({std::move(useless), {.inOpening = true}});
  Scheduler scheduler(search, std::move(list));
  EXPECT_TRUE(scheduler.execute());
  EXPECT_EQ(first.runsBeforeItsFirstTurn(), first.runs());
  return {first.runs(), second.runs()};
}

TEST_F(Schedulers, OpenWithShortTurnsOfThoseThatShareThem) {
  CommandContext context(fakeProgram({}), quickOptions(0), nullptr);
  SearchState search(context, "check", /*samples=*/true);
  auto [useful, useless] = runsOfOpening(search);
  EXPECT_GT(useful, 2 * useless);
  EXPECT_GT(useless, 0u);
  EXPECT_GE(useful + useless, 256u);
  EXPECT_LT(useful + useless, 300u);
}

TEST_F(Schedulers, LeaveRunsForWhatComesAfterTheOpening) {
  CommandContext context(fakeProgram({}), quickOptions(100), nullptr);
  SearchState search(context, "check", /*samples=*/true);
  auto [useful, useless] = runsOfOpening(search);
  EXPECT_GE(useful + useless, 25u);
  EXPECT_LT(useful + useless, 35u);
}

} // namespace
} // namespace heddle
