#include "static/ir/value_layouts.h"

#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace heddle::analysis {

uint64_t sizeOf(Type* type, const DataLayout& layout) {
  return type->isSized() ? layout.getTypeAllocSize(type).getFixedValue() : 0;
}

CellContent contentIn(Type* type, uint64_t offset, const DataLayout& layout) {
  if (auto* structure = dyn_cast<StructType>(type)) {
    // A union looks like its largest member.
    if (structure->isOpaque() ||
        (structure->hasName() && structure->getName().starts_with("union.")))
      return {};
    const StructLayout* parts = layout.getStructLayout(structure);
    if (offset >= parts->getSizeInBytes() || structure->getNumElements() == 0)
      return {};
    unsigned index = parts->getElementContainingOffset(offset);
    return contentIn(structure->getElementType(index), offset - parts->getElementOffset(index),
                     layout);
  }
  if (auto* array = dyn_cast<ArrayType>(type)) {
    uint64_t size = sizeOf(array->getElementType(), layout);
    return size > 1 ? contentIn(array->getElementType(), offset % size, layout) : CellContent{};
  }
  bool number = type->isFloatingPointTy() || type->isIntegerTy(16) || type->isIntegerTy(32);
  return number || offset % kWord ? CellContent{CellContent::Kind::Number} : CellContent{};
}

uint64_t scalarStartIn(Type* type, uint64_t offset, const DataLayout& layout) {
  uint64_t size = sizeOf(type, layout);
  if (size == 0)
    return offset;
  uint64_t start = offset / size * size;
  if (auto* array = dyn_cast<ArrayType>(type))
    return start + scalarStartIn(array->getElementType(), offset - start, layout);
  auto* structure = dyn_cast<StructType>(type);
  if (!structure)
    return start;
  if (structure->getNumElements() == 0 ||
      (structure->hasName() && structure->getName().starts_with("union.")))
    return offset;
  const StructLayout* parts = layout.getStructLayout(structure);
  unsigned index = parts->getElementContainingOffset(offset - start);
  uint64_t begin = start + parts->getElementOffset(index);
  return begin + scalarStartIn(structure->getElementType(index), offset - begin, layout);
}

bool mayWalkIn(Type* type, uint64_t offset, uint64_t stride, const DataLayout& layout) {
  uint64_t size = sizeOf(type, layout);
  if (size == 0 || stride % size == 0)
    return true;
  if (auto* array = dyn_cast<ArrayType>(type)) {
    uint64_t element = sizeOf(array->getElementType(), layout);
    return element == 0 || mayWalkIn(array->getElementType(), offset % element, stride, layout);
  }
  auto* structure = dyn_cast<StructType>(type);
  if (!structure || offset >= size)
    return false;
  if (structure->hasName() && structure->getName().starts_with("union."))
    return true;
  const StructLayout* parts = layout.getStructLayout(structure);
  unsigned index = parts->getElementContainingOffset(offset);
  Type* part = structure->getElementType(index);
  return (isa<ArrayType>(part) || isa<StructType>(part)) &&
         mayWalkIn(part, offset - parts->getElementOffset(index), stride, layout);
}

} // namespace heddle::analysis
