#include "static/program/sites.h"

#include "static/ir/standard_library.h"

#include "model/embedded_format.h"
#include "model/library_writes.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace heddle::analysis {
namespace {

/// Of the site whose operands begin there.
EmbeddedSite recordAt(const MDNode& node, unsigned operand) {
  EmbeddedSite record = {};
  StringRef bytes = cast<MDString>(node.getOperand(operand + kSiteRecord))->getString();
  std::memcpy(&record, bytes.data(), std::min(bytes.size(), sizeof(record)));
  return record;
}

StringRef objectAt(const MDNode& node, unsigned operand) {
  return cast<MDString>(node.getOperand(operand + kSiteObject))->getString();
}

bool isFree(const Instruction& instruction, const Models& models, AccessSite& site) {
  auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  const ExternalModel* model = callee ? models.find(*callee) : nullptr;
  // Who frees an object that threads share by counting its owners is the last of them: nobody is
  // left to race with.
  bool ends = model && (model->effect == Effect::Release || model->effect == Effect::Reallocate);
  if (!ends || countsOwners(instruction.getFunction()->getName()))
    return false;
  site.frees = true;
  site.address = call->getArgOperand(model->a);
  return true;
}

void findAddress(AccessSite& site, const Instruction& instruction, const DataLayout& layout) {
  auto typed = [&](const Value* address, Type* type) {
    site.address = address;
    site.size = layout.getTypeStoreSize(type).getFixedValue();
  };
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return typed(load->getPointerOperand(), load->getType());
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return typed(store->getPointerOperand(), store->getValueOperand()->getType());
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return typed(update->getPointerOperand(), update->getType());
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return typed(exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
  if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
    auto* transfer = dyn_cast<MemTransferInst>(memory);
    site.address = site.kind == SiteKind::RangeRead && transfer ? transfer->getRawSource()
                                                                : memory->getRawDest();
    if (auto* length = dyn_cast<ConstantInt>(memory->getLength()))
      site.size = length->getZExtValue();
  }
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (const LibraryWrite* write = callee ? findLibraryWrite(callee->getName()) : nullptr) {
    site.address = call->getArgOperand(write->argument);
    site.size = write->bytes;
  }
}

} // namespace

const char* accessName(const AccessSite& site) {
  return site.isAtomic() ? "atomic" : site.frees ? "free" : site.isWrite() ? "write" : "read";
}

std::span<const uint32_t> Sites::accesses(const Function& function) {
  auto [entry, isNew] = byFunction_.try_emplace(&function);
  if (!isNew)
    return entry->second;
  std::vector<uint32_t> found;
  for (const Instruction& instruction : instructions(function))
    read(instruction, found);
  return byFunction_[&function] = std::move(found);
}

void Sites::read(const Instruction& instruction, std::vector<uint32_t>& out) {
  const MDNode* node = instruction.getMetadata(kSiteMetadata);
  if (!node)
    return;
  for (unsigned i = 0; i + kSiteOperands <= node->getNumOperands(); i += kSiteOperands) {
    EmbeddedSite record = recordAt(*node, i);
    AccessSite site;
    site.kind = static_cast<SiteKind>(record.kind);
    if (!isAccess(site.kind) && !isFree(instruction, models_, site))
      continue;
    site.identity = static_cast<SiteIdentity>(record.identity);
    site.flags = record.flags;
    site.ordinal = record.ordinal;
    site.offset = record.offset;
    site.object = objectAt(*node, i);
    site.instruction = &instruction;
    if (!site.frees)
      findAddress(site, instruction, layout_);
    if (!site.address)
      continue;
    out.push_back(sites_.size());
    sites_.push_back(site);
  }
}

CallSite callSite(const CallBase& call) {
  const MDNode* node = call.getMetadata(kSiteMetadata);
  if (!node || node->getNumOperands() < kSiteOperands)
    return {};
  EmbeddedSite record = recordAt(*node, 0);
  return {static_cast<SiteIdentity>(record.identity), record.ordinal, objectAt(*node, 0)};
}

std::string objectOf(const Instruction& instruction) {
  const MDNode* node = instruction.getMetadata(kSiteMetadata);
  if (!node || node->getNumOperands() < kSiteOperands)
    return "";
  return objectAt(*node, 0).str();
}

} // namespace heddle::analysis
