#include "describe/late_use_text.h"

#include "describe/interleaving.h"
#include "describe/late_use.h"

namespace heddle {

static std::string placeText(const Step& step) {
  return step.location.file.empty()
             ? ""
             : " (" + step.location.file.substr(step.location.file.rfind('/') + 1) + ":" +
                   std::to_string(step.location.line) + ")";
}

std::string lateUseText(const RecordedRun& run, const ObjectNames& objects) {
  std::vector<Operation> operations = readOperations(run, {});
  auto block = findFreedBlock(operations, run.record);
  if (!block)
    return {};
  Step use = stepOf(operations, block->use, run.record, objects);
  Step free = stepOf(operations, block->free, run.record, objects);
  return "this looks like a use after free: T" + std::to_string(use.thread) + " did " + use.action +
         placeText(use) + ", and T" + std::to_string(free.thread) + " has freed that memory since" +
         placeText(free);
}

} // namespace heddle
