#include "clone_function.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace heddle::pass {
namespace {

/// Moves debug information from one subprogram to its copy. What does not belong to it (types,
/// inlined functions) stays as it is.
class ScopeMapper {
public:
  ScopeMapper(DISubprogram* from, DISubprogram* to) { map_[from] = to; }

  DILocation* location(const DILocation* old) {
    const DILocation* inlinedAt = old->getInlinedAt();
    auto* scope = inlinedAt ? old->getScope() : mapped(old->getScope());
    return DILocation::get(old->getContext(), old->getLine(), old->getColumn(), scope,
                           inlinedAt ? location(inlinedAt) : nullptr, old->isImplicitCode());
  }

  DILocalVariable* variable(DILocalVariable* old) {
    DILocalScope* scope = mapped(old->getScope());
    if (scope == old->getScope())
      return old;
    return DILocalVariable::get(old->getContext(), scope, old->getName(), old->getFile(),
                                old->getLine(), old->getType(), old->getArg(), old->getFlags(),
                                old->getAlignInBits(), old->getAnnotations());
  }

  DILabel* label(DILabel* old) {
    return DILabel::get(old->getContext(), mapped(old->getScope()), old->getName(), old->getFile(),
                        old->getLine());
  }

private:
  DILocalScope* mapped(DILocalScope* old) {
    if (auto found = map_.find(old); found != map_.end())
      return found->second;
    DILocalScope* result = old;
    if (auto* block = dyn_cast<DILexicalBlock>(old))
      result = cloned(block);
    else if (auto* file = dyn_cast<DILexicalBlockFile>(old))
      result = cloned(file);
    return map_[old] = result;
  }

  DILocalScope* cloned(DILexicalBlock* block) {
    DILocalScope* scope = mapped(block->getScope());
    if (scope == block->getScope())
      return block;
    return DILexicalBlock::getDistinct(block->getContext(), scope, block->getFile(),
                                       block->getLine(), block->getColumn());
  }

  DILocalScope* cloned(DILexicalBlockFile* file) {
    DILocalScope* scope = mapped(file->getScope());
    if (scope == file->getScope())
      return file;
    return DILexicalBlockFile::get(file->getContext(), scope, file->getFile(),
                                   file->getDiscriminator());
  }

  DenseMap<DILocalScope*, DILocalScope*> map_;
};

// The variables that the subprogram lists although the optimizer may remove all uses of them.
void mapRetainedNodes(DISubprogram& subprogram, ScopeMapper& mapper) {
  SmallVector<Metadata*, 8> retained;
  for (DINode* node : subprogram.getRetainedNodes()) {
    if (auto* variable = dyn_cast<DILocalVariable>(node))
      retained.push_back(mapper.variable(variable));
    else if (auto* label = dyn_cast<DILabel>(node))
      retained.push_back(mapper.label(label));
  }
  subprogram.replaceRetainedNodes(MDNode::get(subprogram.getContext(), retained));
}

void mapRecord(DbgRecord& record, ScopeMapper& mapper) {
  record.setDebugLoc(mapper.location(record.getDebugLoc()));
  if (auto* variable = dyn_cast<DbgVariableRecord>(&record))
    variable->setVariable(mapper.variable(variable->getVariable()));
  else if (auto* label = dyn_cast<DbgLabelRecord>(&record))
    label->setLabel(mapper.label(label->getLabel()));
}

void mapDebugInfo(Instruction& instruction, ScopeMapper& mapper) {
  if (const DILocation* location = instruction.getDebugLoc())
    instruction.setDebugLoc(mapper.location(location));
  for (DbgRecord& record : instruction.getDbgRecordRange())
    mapRecord(record, mapper);
  updateLoopMetadataDebugLocations(instruction, [&](Metadata* node) -> Metadata* {
    auto* location = dyn_cast<DILocation>(node);
    return location ? mapper.location(location) : node;
  });
}

void cloneBlocks(Function& to, const Function& from, ValueToValueMapTy& values) {
  for (auto [oldArgument, newArgument] : zip(from.args(), to.args()))
    values[&oldArgument] = &newArgument;
  for (const BasicBlock& block : from)
    values[&block] = CloneBasicBlock(&block, values, "", &to);
  for (BasicBlock& block : to)
    for (Instruction& instruction : block) {
      RemapDbgRecordRange(to.getParent(), instruction.getDbgRecordRange(), values,
                          RF_NoModuleLevelChanges);
      RemapInstruction(&instruction, values, RF_NoModuleLevelChanges);
    }
}

} // namespace

void cloneInto(Function& to, const Function& from) {
  to.copyAttributesFrom(&from);
  to.setIsNewDbgInfoFormat(from.IsNewDbgInfoFormat);
  if (MDNode* profile = from.getMetadata(LLVMContext::MD_prof))
    to.setMetadata(LLVMContext::MD_prof, profile);
  ValueToValueMapTy values;
  cloneBlocks(to, from, values);
  DenseMap<DIAssignID*, DIAssignID*> assignments;
  for (Instruction& instruction : instructions(to))
    at::remapAssignID(assignments, instruction);
  if (!from.getSubprogram())
    return;
  DISubprogram* copy = MDNode::replaceWithDistinct(from.getSubprogram()->clone());
  ScopeMapper mapper(from.getSubprogram(), copy);
  mapRetainedNodes(*copy, mapper);
  to.setSubprogram(copy);
  for (Instruction& instruction : instructions(to))
    mapDebugInfo(instruction, mapper);
}

} // namespace heddle::pass
