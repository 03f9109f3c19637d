#include "site_metadata.h"

#include "model/embedded_format.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"

#include <cstring>

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr const char* kKind = kSiteMetadata;

Metadata* record(LLVMContext& context, const Site& site, uint32_t number) {
  EmbeddedSite record{.identity = site.identity,
                      .number = number,
                      .ordinal = site.ordinal,
                      .offset = site.offset,
                      .kind = static_cast<uint8_t>(site.kind),
                      .flags = site.flags};
  return MDString::get(context, StringRef(reinterpret_cast<const char*>(&record), sizeof(record)));
}

} // namespace

void attachSites(const ModuleSites& sites, LLVMContext& context) {
  for (uint32_t index = 0; index < sites.sites.size(); ++index) {
    const Site& site = sites.sites[index];
    for (Instruction* instruction : site.instructions) {
      SmallVector<Metadata*, kSiteOperands> operands;
      if (MDNode* earlier = instruction->getMetadata(kKind))
        operands.append(earlier->op_begin(), earlier->op_end());
      operands.push_back(record(context, site, index));
      operands.push_back(MDString::get(context, site.object));
      instruction->setMetadata(kKind, MDNode::get(context, operands));
    }
  }
}

std::vector<uint32_t> sitesOf(const Instruction& instruction) {
  std::vector<uint32_t> numbers;
  const MDNode* node = instruction.getMetadata(kKind);
  if (!node)
    return numbers;
  for (unsigned i = 0; i < node->getNumOperands(); i += kSiteOperands) {
    EmbeddedSite record;
    StringRef bytes = cast<MDString>(node->getOperand(i + kSiteRecord))->getString();
    std::memcpy(&record, bytes.data(), sizeof(record));
    numbers.push_back(record.number);
  }
  return numbers;
}

void detachSites(Function& function) {
  for (Instruction& instruction : instructions(function))
    instruction.setMetadata(kKind, nullptr);
}

} // namespace heddle::pass
