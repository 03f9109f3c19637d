#include "event_kinds.h"
#include "run_decoder.h"

#include <cerrno>

/// Words that threads wait on (futexes), and the guards of static variables.
namespace heddle::explore {

void RunDecoder::knowWord(uint64_t object) {
  decoded_.foundObjects |= knowledge_.words.try_emplace(object).second;
}

void RunDecoder::takeFutex(const TraceEvent& event, uint64_t object) {
  Thread& thread = threadOf(event);
  knowWord(object);
  wordUsers_[object][thread.number] = knowledge_.sharing.timeOf(thread.number);
  if (kindOf(event) == EventKind::FutexWake) {
    Operation& operation = addStep(thread, OperationKind::NotifyAll, event);
    operation.object = object;
    operation.isOnWord = true;
    return;
  }
  bool isEnd = kindOf(event) == EventKind::FutexLeave;
  addStep(thread, isEnd ? OperationKind::WordResume : OperationKind::WordWait, event).object =
      object;
  if (isEnd)
    thread.word = 0;
}

/// How a wait on a futex went on.
void RunDecoder::noteFutex(const TraceEvent& event, uint64_t object) {
  Thread& thread = threadOf(event);
  if (event.result == EBUSY) {
    thread.word = object;
    waiters_[object].insert(thread.number);
  } else if (event.result != 0 && event.result != EAGAIN) {
    caveat("a wait on a futex ended otherwise than by being woken");
  }
}

/// Accesses to words that threads wait on, and to guards, are synchronization. Whether it is one.
bool RunDecoder::makeWordStep(Operation& operation) const {
  if (knowledge_.words.empty() && knowledge_.guards.empty())
    return false;
  constexpr uint64_t guardBytes = 8;
  auto guard = knowledge_.guards.upper_bound(operation.address);
  if (guard != knowledge_.guards.begin() && operation.address - *std::prev(guard) < guardBytes) {
    operation.object = *std::prev(guard);
    operation.kind = OperationKind::OnceCheck;
    return false;
  }
  auto word = knowledge_.words.upper_bound(operation.address + operation.size - 1);
  if (word == knowledge_.words.begin() ||
      std::prev(word)->first + sizeof(uint32_t) <= operation.address)
    return false;
  operation.object = std::prev(word)->first;
  operation.kind = operation.kind == OperationKind::Read    ? OperationKind::LoadWord
                   : operation.kind == OperationKind::Write ? OperationKind::StoreWord
                                                            : OperationKind::UpdateWord;
  return true;
}

bool RunDecoder::touchesPartOfWord(const Operation& operation) const {
  return operation.address != operation.object || operation.size != sizeof(uint32_t);
}

/// Whether others may still use a word in memory that a thread frees.
bool RunDecoder::isWordInUse(ThreadNumber thread, uint64_t address, uint64_t bytes) {
  for (auto word = wordUsers_.lower_bound(address);
       word != wordUsers_.end() && word->first < address + bytes; ++word)
    for (const auto& [user, time] : word->second)
      if (!knowledge_.sharing.isBefore(user, time, thread))
        return true;
  return false;
}

bool RunDecoder::isResultUsed(SiteId site) const {
  const SiteEntry* entry = sites_.find(site);
  return !entry || !(entry->flags & kSiteResultUnused);
}

} // namespace heddle::explore
