#pragma once

#include "model/ids.h"
#include "model/site_table.h"
#include "static/ir/models.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::analysis {

/// An access as the pass numbered it: what a report and the runtime know it by.
struct AccessSite {
  SiteIdentity identity = SiteIdentity::None;
  SiteKind kind = SiteKind::Read;
  uint8_t flags = 0;
  uint32_t ordinal = 0;
  uint32_t offset = 0;
  llvm::StringRef object;
  const llvm::Instruction* instruction = nullptr;
  const llvm::Value* address = nullptr;
  uint64_t size = 0;  ///< 0: not known
  bool frees = false; ///< a call that ends the life of the memory: it changes all of it

  bool isWrite() const { return frees || heddle::isWrite(kind); }
  bool isAtomic() const { return heddle::isAtomic(kind); }
};

/// What a report calls it: "read", "write", "free" or "atomic".
const char* accessName(const AccessSite& site);

/// The sites of a module, read from its metadata when they are asked for.
class Sites {
public:
  Sites(const llvm::DataLayout& layout, const Models& models) : layout_(layout), models_(models) {}

  /// Indices of the function's accesses.
  std::span<const uint32_t> accesses(const llvm::Function& function);
  const AccessSite& operator[](uint32_t index) const { return sites_[index]; }
  size_t size() const { return sites_.size(); }

private:
  void read(const llvm::Instruction& instruction, std::vector<uint32_t>& out);

  const llvm::DataLayout& layout_;
  const Models& models_;
  std::vector<AccessSite> sites_;
  llvm::DenseMap<const llvm::Function*, std::vector<uint32_t>> byFunction_;
};

/// A call as the pass numbered it; identity None when it did not.
struct CallSite {
  SiteIdentity identity = SiteIdentity::None;
  uint32_t ordinal = 0;
  llvm::StringRef object; ///< what the call works on
};
CallSite callSite(const llvm::CallBase& call);

/// What the pass calls the memory that an instruction accesses; "" when it has no name.
std::string objectOf(const llvm::Instruction& instruction);

} // namespace heddle::analysis
