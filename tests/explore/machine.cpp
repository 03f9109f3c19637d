#include "machine.h"

#include "explore/sync_state.h"

#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace heddle::explore::test {

Program parse(std::string_view text) {
  Program program;
  std::istringstream lines{std::string(text)};
  ThreadNumber thread = 0;
  program.threads[0];
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Instruction instruction;
    words >> instruction.name;
    for (std::string word; words >> word;)
      instruction.words.push_back(word);
    if (instruction.name.empty())
      continue;
    if (instruction.name == "thread") {
      thread = static_cast<ThreadNumber>(std::stoul(instruction.words.at(0)));
      program.threads[thread];
    } else if (instruction.name == "init") {
      program.memory[std::stoull(instruction.words.at(0))] =
          static_cast<uint8_t>(std::stoul(instruction.words.at(1)));
    } else {
      program.threads[thread].push_back(std::move(instruction));
    }
  }
  return program;
}

namespace {

using Kind = OperationKind;

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> names{
      {"read", Kind::Read},
      {"write", Kind::Write},
      {"add", Kind::Update},
      {"cas", Kind::CompareExchange},
      {"free", Kind::Free},
      {"lock", Kind::Acquire},
      {"trylock", Kind::TryAcquire},
      {"unlock", Kind::Release},
      {"rdlock", Kind::AcquireShared},
      {"tryrdlock", Kind::TryAcquireShared},
      {"rdunlock", Kind::ReleaseShared},
      {"wait", Kind::Wait},
      {"notify_one", Kind::NotifyOne},
      {"notify_all", Kind::NotifyAll},
      {"semwait", Kind::SemaphoreWait},
      {"semtry", Kind::SemaphoreTryWait},
      {"sempost", Kind::SemaphorePost},
      {"barrier", Kind::BarrierArrive},
      {"gate", Kind::BarrierArrive},
      {"countdown", Kind::LatchCountDown},
      {"latchwait", Kind::LatchWait},
      {"oncebegin", Kind::OnceBegin},
      {"onceend", Kind::OnceEnd},
      {"oncecheck", Kind::OnceCheck},
      {"onceabandon", Kind::OnceAbandon},
      {"wload", Kind::LoadWord},
      {"wstore", Kind::StoreWord},
      {"wadd", Kind::UpdateWord},
      {"wcas", Kind::CompareExchangeWord},
      {"wwait", Kind::WordWait},
      {"wwake_one", Kind::NotifyOne},
      {"wwake_all", Kind::NotifyAll},
      {"spawn", Kind::Spawn},
      {"join", Kind::Join},
  };
  return names;
}

struct Thread {
  ThreadNumber number = 0;
  const std::vector<Instruction>* code = nullptr;
  size_t next = 0;
  std::map<std::string, int64_t> registers;
  bool isStarted = false;
  bool isEnded = false;
  std::optional<Operation> waiting; ///< the second half of a wait or a barrier
  std::string failure;              ///< what goes wrong next
};

class Machine {
public:
  explicit Machine(const Program& program) : memory_(program.memory) {
    for (const auto& [number, code] : program.threads) {
      Thread& thread = threads_[number];
      thread.number = number;
      thread.code = &code;
    }
    start(0);
  }

  Run run(const std::vector<Choice>& schedule, Default rest) {
    for (const Choice& choice : schedule)
      if (!take(choice)) {
        result_.ending = Ending::Diverged;
        return std::move(result_);
      }
    while (result_.failure.empty()) {
      auto thread = pickNext(rest);
      if (!thread)
        break;
      take({*thread, 0});
    }
    finish();
    return std::move(result_);
  }

  Run run(const std::vector<Choice>& schedule, const Chooser& chooser, const Observer& observer) {
    auto step = [&](const Choice& choice) {
      auto enabled = enabledOperations();
      bool isTaken = take(choice);
      if (isTaken)
        observer(enabled, result_.operations.back());
      return isTaken;
    };
    for (const Choice& choice : schedule)
      if (!step(choice)) {
        result_.ending = Ending::Diverged;
        return std::move(result_);
      }
    while (result_.failure.empty()) {
      auto enabled = enabledOperations();
      auto thread = enabled.empty() ? std::nullopt : chooser(enabled);
      if (!thread)
        break;
      step({*thread, 0});
    }
    finish();
    return std::move(result_);
  }

private:
  std::vector<Operation> enabledOperations() const {
    std::vector<Operation> enabled;
    for (const auto& [number, thread] : threads_)
      if (auto operation = pendingOf(thread); operation && sync_.enabled(*operation))
        enabled.push_back(*operation);
    return enabled;
  }

  int64_t valueOf(const Thread& thread, const std::string& word) const {
    size_t plus = word.find('+');
    if (plus != std::string::npos)
      return valueOf(thread, word.substr(0, plus)) + valueOf(thread, word.substr(plus + 1));
    if (word[0] != 'r')
      return std::stoll(word);
    auto found = thread.registers.find(word);
    return found == thread.registers.end() ? 0 : found->second;
  }

  static bool compare(int64_t a, const std::string& how, int64_t b) {
    if (how == "==")
      return a == b;
    if (how == "!=")
      return a != b;
    if (how == "<")
      return a < b;
    throw std::runtime_error("unknown comparison " + how);
  }

  void start(ThreadNumber number) {
    threads_.at(number).isStarted = true;
    runLocally(threads_.at(number));
  }

  /// What only the thread itself notices, up to its next visible operation.
  void runLocally(Thread& thread) {
    while (thread.next < thread.code->size()) {
      const Instruction& instruction = (*thread.code)[thread.next];
      const auto& words = instruction.words;
      if (instruction.name == "set") {
        thread.registers[words[0]] = valueOf(thread, words[1]);
      } else if (instruction.name == "mod") {
        thread.registers[words[0]] = valueOf(thread, words[1]) % valueOf(thread, words[2]);
      } else if (instruction.name == "mul") {
        thread.registers[words[0]] = valueOf(thread, words[1]) * valueOf(thread, words[2]);
      } else if (instruction.name == "if") { // A how B, else skips so many instructions
        if (!compare(valueOf(thread, words[0]), words[1], valueOf(thread, words[2])))
          thread.next += std::stoul(words[3]);
      } else if (instruction.name == "back") {
        thread.next -= std::stoul(words[0]);
        continue;
      } else if (instruction.name == "assert") {
        if (!compare(valueOf(thread, words[0]), words[1], valueOf(thread, words[2])) &&
            thread.failure.empty())
          thread.failure =
              "assert " + std::to_string(thread.number) + " " + std::to_string(thread.next);
        if (!thread.failure.empty())
          return;
      } else {
        return;
      }
      ++thread.next;
    }
  }

  uint64_t load(uint64_t address, uint32_t size) const {
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i) {
      auto found = memory_.find(address + i);
      value |= uint64_t{found == memory_.end() ? uint8_t{0} : found->second} << 8 * i;
    }
    return value;
  }
  void store(uint64_t address, uint32_t size, uint64_t value) {
    for (uint32_t i = 0; i < size; ++i)
      memory_[address + i] = static_cast<uint8_t>(value >> 8 * i);
  }
  static uint64_t cut(uint64_t value, uint32_t size) {
    return size >= 8 ? value : value & ((uint64_t{1} << 8 * size) - 1);
  }

  /// What the thread does next. The words of an access: [register] address size [values] [block]
  std::optional<Operation> pendingOf(const Thread& thread) const {
    Operation operation;
    operation.thread = thread.number;
    if (!thread.isStarted || thread.isEnded)
      return std::nullopt;
    if (!thread.failure.empty()) {
      operation.kind = Kind::Fail;
      return operation;
    }
    if (thread.waiting)
      return thread.waiting;
    if (thread.next >= thread.code->size()) {
      operation.kind = Kind::Exit;
      return operation;
    }
    const Instruction& instruction = (*thread.code)[thread.next];
    auto found = kinds().find(instruction.name);
    if (found == kinds().end())
      throw std::runtime_error("unknown instruction " + instruction.name);
    operation.kind = found->second;
    operation.site = static_cast<SiteIdentity>(mix(thread.number + 1, thread.next));
    operation.isOnWord = instruction.name.starts_with("wwake");
    operation.isOrdered = instruction.name != "gate";
    describe(thread, instruction.words, operation);
    return operation;
  }

  void describe(const Thread& thread, const std::vector<std::string>& words,
                Operation& operation) const {
    auto word = [&](size_t i) { return static_cast<uint64_t>(valueOf(thread, words.at(i))); };
    switch (operation.kind) {
    case Kind::Read:              // register address size [block]
    case Kind::Update:            // register address size addend [block]
    case Kind::CompareExchange: { // register address size expected desired [block]
      operation.address = word(1);
      operation.size = static_cast<uint32_t>(word(2));
      operation.observed = load(operation.address, operation.size);
      size_t block = 3;
      if (operation.kind == Kind::Update) {
        operation.value = cut(operation.observed + word(3), operation.size);
        block = 4;
      } else if (operation.kind == Kind::CompareExchange) {
        operation.expected = cut(word(3), operation.size);
        operation.value = cut(word(4), operation.size);
        operation.succeeded = operation.observed == operation.expected;
        block = 5;
      }
      operation.object = words.size() > block ? word(block) : 0;
      break;
    }
    case Kind::Write: // address size value [block]
      operation.address = word(0);
      operation.size = static_cast<uint32_t>(word(1));
      operation.value = cut(word(2), operation.size);
      operation.object = words.size() > 3 ? word(3) : 0;
      break;
    case Kind::TryAcquire:
    case Kind::TryAcquireShared:
    case Kind::OnceBegin: // register object
    case Kind::OnceCheck:
      operation.object = word(1);
      break;
    case Kind::SemaphoreTryWait: // register object count
      operation.object = word(1);
      operation.argument = static_cast<uint32_t>(word(2));
      break;
    case Kind::LoadWord:            // register object
    case Kind::UpdateWord:          // register object addend
    case Kind::CompareExchangeWord: // register object expected desired
      operation.object = word(1);
      operation.observed = wordAt(operation.object);
      operation.expected = operation.kind == Kind::CompareExchangeWord ? word(2) : 0;
      if (operation.kind == Kind::UpdateWord)
        operation.value = operation.observed + word(2);
      else if (operation.kind == Kind::CompareExchangeWord)
        operation.value = word(3);
      break;
    case Kind::StoreWord: // object value
      operation.object = word(0);
      operation.value = word(1);
      break;
    case Kind::WordWait: // object expected
      operation.object = word(0);
      operation.expected = word(1);
      break;
    case Kind::Wait: // condition mutex
      operation.object = word(0);
      operation.second = word(1);
      break;
    case Kind::Spawn:
    case Kind::Join:
      operation.argument = static_cast<uint32_t>(word(0));
      break;
    default: // object [count]
      operation.object = word(0);
      operation.argument = words.size() > 1 ? static_cast<uint32_t>(word(1)) : 0;
      break;
    }
  }

  std::vector<ThreadNumber> enabledThreads() const {
    std::vector<ThreadNumber> enabled;
    for (const auto& [number, thread] : threads_) {
      auto operation = pendingOf(thread);
      if (operation && sync_.enabled(*operation))
        enabled.push_back(number);
    }
    return enabled;
  }

  std::optional<ThreadNumber> pickNext(Default rest) const {
    auto enabled = enabledThreads();
    if (enabled.empty())
      return std::nullopt;
    if (rest == Default::SameThread && !result_.operations.empty())
      for (ThreadNumber thread : enabled)
        if (thread == result_.operations.back().thread)
          return thread;
    return enabled.front();
  }

  bool take(const Choice& choice) {
    auto found = threads_.find(choice.thread);
    if (found == threads_.end() || !result_.failure.empty())
      return false;
    Thread& thread = found->second;
    auto operation = pendingOf(thread);
    if (!operation || !sync_.enabled(*operation))
      return false;
    operation->choice = choice.choice;
    operation->choices = sync_.choices(*operation);
    if (choice.choice >= operation->choices)
      return false;
    result_.enabled.push_back(enabledThreads());
    perform(thread, *operation);
    result_.operations.push_back(*operation);
    return true;
  }

  void setResult(Thread& thread, uint64_t value) {
    thread.registers[(*thread.code)[thread.next].words.at(0)] = static_cast<int64_t>(value);
  }

  void perform(Thread& thread, Operation& operation) {
    auto accesses = sync_.accesses(operation);
    bool changes = !accesses.empty() && accesses[0].mode != AccessMode::Read;
    Kind kind = operation.kind;
    if (kind == Kind::TryAcquire || kind == Kind::TryAcquireShared ||
        kind == Kind::SemaphoreTryWait || kind == Kind::OnceBegin) {
      operation.succeeded = changes;
      setResult(thread, changes ? 1 : 0);
    }
    if (kind == Kind::OnceCheck)
      setResult(thread, done_.contains(operation.object) ? 1 : 0);
    if (kind == Kind::OnceEnd)
      done_.insert(operation.object);
    performOnWord(thread, operation, changes);
    bool sleeps = kind == Kind::WordWait && accesses.size() == 2;
    sync_.take(operation);
    if (kind == Kind::Fail) {
      result_.failure = thread.failure;
      return;
    }
    if (kind == Kind::Exit) {
      thread.isEnded = true;
      return;
    }
    if (isData(kind) && !performData(thread, operation))
      return;
    if (thread.waiting) {
      thread.waiting.reset();
    } else if (kind == Kind::Wait || kind == Kind::BarrierArrive || sleeps) {
      thread.waiting = operation;
      thread.waiting->kind = secondHalfOf(kind);
      return;
    }
    ++thread.next;
    runLocally(thread);
    if (kind == Kind::Spawn)
      start(operation.argument);
  }

  static Kind secondHalfOf(Kind kind) {
    if (kind == Kind::BarrierArrive)
      return Kind::BarrierDepart;
    return kind == Kind::Wait ? Kind::Wake : Kind::WordResume;
  }

  uint64_t wordAt(uint64_t object) const {
    auto found = words_.find(object);
    return found == words_.end() ? 0 : found->second;
  }

  void performOnWord(Thread& thread, const Operation& operation, bool changes) {
    Kind kind = operation.kind;
    if (kind == Kind::LoadWord || kind == Kind::UpdateWord)
      setResult(thread, operation.observed);
    if (kind == Kind::CompareExchangeWord)
      setResult(thread, changes ? 1 : 0);
    bool writes = kind == Kind::StoreWord || kind == Kind::UpdateWord ||
                  (kind == Kind::CompareExchangeWord && changes);
    if (writes)
      words_[operation.object] = operation.value;
  }

  /// False if memory was used after its end: the thread fails next.
  bool performData(Thread& thread, const Operation& operation) {
    if (operation.object != 0 && freed_.contains(operation.object)) {
      thread.failure =
          "use after free " + std::to_string(thread.number) + " " + std::to_string(thread.next);
      return false;
    }
    switch (operation.kind) {
    case Kind::Read:
      setResult(thread, operation.observed);
      break;
    case Kind::Update:
      setResult(thread, operation.observed);
      store(operation.address, operation.size, operation.value);
      break;
    case Kind::CompareExchange:
      setResult(thread, operation.succeeded ? 1 : 0);
      if (operation.succeeded)
        store(operation.address, operation.size, operation.value);
      break;
    case Kind::Write:
      store(operation.address, operation.size, operation.value);
      break;
    default:
      freed_.insert(operation.object);
      break;
    }
    return true;
  }

  void finish() {
    for (const auto& [number, thread] : threads_)
      if (auto operation = pendingOf(thread))
        if (operation->kind != Kind::Fail || result_.failure.empty() ||
            result_.operations.back().thread != number)
          result_.pending.push_back(*operation);
    if (!result_.failure.empty())
      result_.ending = Ending::Failure;
    else if (!result_.pending.empty()) {
      result_.ending = Ending::Deadlock;
      result_.failure = "deadlock";
    }
  }

  std::map<ThreadNumber, Thread> threads_;
  std::map<uint64_t, uint8_t> memory_;
  std::map<uint64_t, uint64_t> words_;
  std::set<uint64_t> done_; ///< once flags
  std::set<uint64_t> freed_;
  SyncState sync_;
  Run result_;
};

} // namespace

Run execute(const Program& program, const std::vector<Choice>& schedule, const Chooser& chooser,
            const Observer& observer) {
  return Machine(program).run(schedule, chooser, observer);
}

Run execute(const Program& program, const std::vector<Choice>& schedule, Default rest) {
  return Machine(program).run(schedule, rest);
}

} // namespace heddle::explore::test
