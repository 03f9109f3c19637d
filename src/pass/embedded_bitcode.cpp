#include "embedded_bitcode.h"

#include "model/embedded_format.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// Of zstd's levels, 3 is where more time stops to pay: objects grow by 20 to 50 %.
constexpr int kLevel = 3;

template <typename T> void appendLittleEndian(SmallVectorImpl<char>& out, T value) {
  char bytes[sizeof(T)];
  support::endian::write<T, llvm::endianness::little>(bytes, value);
  out.append(bytes, bytes + sizeof(T));
}

} // namespace

void embedBitcode(Module& module) {
  if (!compression::zstd::isAvailable())
    return;
  SmallVector<char, 0> raw;
  raw_svector_ostream stream(raw);
  WriteBitcodeToFile(module, stream);

  SmallVector<uint8_t, 0> compressed;
  compression::zstd::compress(arrayRefFromStringRef(StringRef(raw.data(), raw.size())), compressed,
                              kLevel);

  SmallVector<char, 0> content;
  appendLittleEndian<uint32_t>(content, kBitcodeMagic);
  appendLittleEndian<uint32_t>(content, kBitcodeVersion);
  appendLittleEndian<uint64_t>(content, raw.size());
  appendLittleEndian<uint64_t>(content, compressed.size());
  content.append(compressed.begin(), compressed.end());

  Constant* bytes = ConstantDataArray::getString(
      module.getContext(), StringRef(content.data(), content.size()), /*AddNull=*/false);
  auto* global = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, bytes, "heddle.bitcode");
  global->setSection(kBitcodeSection);
  global->setAlignment(Align(8));
  appendToUsed(module, {global});
}

} // namespace heddle::pass
