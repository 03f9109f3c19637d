#include "site_metadata.h"

#include "model/embedded_format.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr const char* kKind = kSiteMetadata;

Metadata* number(LLVMContext& context, unsigned bits, uint64_t value) {
  return ConstantAsMetadata::get(ConstantInt::get(IntegerType::get(context, bits), value));
}

} // namespace

void attachSites(const ModuleSites& sites, LLVMContext& context) {
  for (uint32_t index = 0; index < sites.sites.size(); ++index) {
    const Site& site = sites.sites[index];
    for (Instruction* instruction : site.instructions) {
      SmallVector<Metadata*, kSiteOperands> operands;
      if (MDNode* earlier = instruction->getMetadata(kKind))
        operands.append(earlier->op_begin(), earlier->op_end());
      operands.push_back(number(context, 32, index));
      operands.push_back(number(context, 64, site.identity));
      operands.push_back(number(context, 8, static_cast<uint8_t>(site.kind)));
      operands.push_back(number(context, 8, site.flags));
      operands.push_back(number(context, 32, site.ordinal));
      operands.push_back(number(context, 32, site.offset));
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
  for (unsigned i = 0; i < node->getNumOperands(); i += kSiteOperands)
    numbers.push_back(mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
  return numbers;
}

void detachSites(Function& function) {
  for (Instruction& instruction : instructions(function))
    instruction.setMetadata(kKind, nullptr);
}

} // namespace heddle::pass
