#include "static/program/program.h"

#include "model/embedded_format.h"
#include "model/source_files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Local.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::analysis {

Program::Program(std::unique_ptr<LLVMContext> context, std::unique_ptr<Module> module,
                 std::vector<LoadedFile> files, std::set<std::string> exported)
    : context_(std::move(context)), module_(std::move(module)), files_(std::move(files)),
      exported_(std::move(exported)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&& other) noexcept {
  module_ = std::move(other.module_); // before the context that it lives in
  context_ = std::move(other.context_);
  files_ = std::move(other.files_);
  exported_ = std::move(other.exported_);
  return *this;
}
Program::~Program() = default;

namespace {

heddle::Error failure(const std::string& path, const std::string& what, const std::string& todo) {
  return {fmt::format("{}: {}\n  {}", path, what, todo), ErrorKind::Usage};
}

std::string text(llvm::Error error) { return toString(std::move(error)); }

/// Collects the linker's complaints, which LLVM reports by a handler of the context.
class LinkComplaints : public DiagnosticHandler {
public:
  explicit LinkComplaints(std::string& text) : text_(text) {}
  bool handleDiagnostics(const DiagnosticInfo& info) override {
    if (info.getSeverity() != DS_Error)
      return true; // warnings about differing target features are not the user's business here
    raw_string_ostream stream(text_);
    DiagnosticPrinterRawOStream printer(stream);
    if (!text_.empty())
      stream << "; ";
    info.print(printer);
    return true;
  }

private:
  std::string& text_;
};

/// Inline functions that nobody calls are of interest where callers are not known; the linker would
/// leave them out.
void keepInline(Module& unit) {
  for (Function& function : unit)
    if (function.hasLinkOnceLinkage())
      function.setLinkage(GlobalValue::WeakODRLinkage);
}

/// Takes away the ways that constants exclude. When a function makes its result in place, clang has
/// a flag that says whether to destroy it: a constant, once locals are in registers.
void foldBranches(Module& unit) {
  for (Function& function : unit)
    for (BasicBlock& block : function)
      ConstantFoldTerminator(&block);
}

/// Computes what constants alone decide: the bytes from a member to its structure, which are
/// written as the address of a member of a null pointer.
void foldConstants(Module& unit) {
  const DataLayout& layout = unit.getDataLayout();
  for (Function& function : unit)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      for (Use& operand : instruction.operands())
        if (auto* expression = dyn_cast<ConstantExpr>(operand);
            expression && expression->getType()->isIntegerTy())
          operand.set(ConstantFoldConstant(expression, layout));
      if (!isa<BinaryOperator>(instruction) && !isa<CastInst>(instruction))
        continue;
      if (Constant* value = ConstantFoldInstruction(&instruction, layout)) {
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
      }
    }
}

/// Which variable a value belongs to is of no interest here, and a large part of a large program.
void dropValueRecords(Module& unit) {
  for (Function& function : unit)
    for (Instruction& instruction : instructions(function))
      for (DbgVariableRecord& record :
           make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
        if (record.isDbgValue())
          record.eraseFromParent();
}

/// Reads units and links them one after the other, so that only one of them is in memory twice.
class Loader {
public:
  Loader() : context_(std::make_unique<LLVMContext>()) {
    context_->setDiagnosticHandler(std::make_unique<LinkComplaints>(complaints_));
    context_->enableDebugTypeODRUniquing(); // one class is one type, whichever unit it is from
    module_ = std::make_unique<Module>("program", *context_);
    linker_ = std::make_unique<Linker>(*module_);
  }

  Status addFile(const std::string& path) {
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return failure(path, "cannot be read: " + buffer.getError().message(),
                     "name a program, library, object, archive or .bc file");
    size_t before = units_;
    if (Status status = addBuffer(path, **buffer); !status)
      return status;
    if (units_ == before)
      return failure(path, "has no heddle bitcode",
                     "compile it with heddle-cc or heddle-c++ (all of the program, and link with "
                     "the same; strip only with --strip-debug)");
    files_.push_back({path, units_ - before});
    return Success{};
  }

  Program take() && {
    linker_.reset();
    context_->setDiagnosticHandler(nullptr); // it refers to this loader
    return {std::move(context_), std::move(module_), std::move(files_), std::move(exported_)};
  }

private:
  Status addBuffer(const std::string& path, MemoryBufferRef buffer) {
    switch (identify_magic(buffer.getBuffer())) {
    case file_magic::bitcode:
      return addBitcode(path, buffer);
    case file_magic::archive:
      return addArchive(path, buffer);
    case file_magic::elf:
    case file_magic::elf_relocatable:
    case file_magic::elf_executable:
    case file_magic::elf_shared_object:
    case file_magic::elf_core:
      return addObject(path, buffer);
    default:
      if (SourceKind source = sourceKindOf(path); !source.words.empty())
        return failure(path, "is " + std::string(source.words), compileAdvice(path, " -c"));
      return failure(path, "is neither an ELF file, an archive nor bitcode",
                     "name a program, library, object, archive or .bc file");
    }
  }

  Status addArchive(const std::string& path, MemoryBufferRef buffer) {
    auto archive = object::Archive::create(buffer);
    if (!archive)
      return failure(path, "is a damaged archive: " + text(archive.takeError()), "make it anew");
    llvm::Error error = llvm::Error::success();
    for (const auto& child : (*archive)->children(error)) {
      auto member = child.getMemoryBufferRef();
      if (!member)
        return failure(path, "is a damaged archive: " + text(member.takeError()), "make it anew");
      std::string name = fmt::format("{}({})", path, std::string(member->getBufferIdentifier()));
      if (identify_magic(member->getBuffer()) == file_magic::unknown)
        continue; // archives hold other files too
      if (Status status = addBuffer(name, *member); !status)
        return status;
    }
    if (error)
      return failure(path, "is a damaged archive: " + text(std::move(error)), "make it anew");
    return Success{};
  }

  Status addObject(const std::string& path, MemoryBufferRef buffer) {
    auto object = object::ObjectFile::createObjectFile(buffer);
    if (!object)
      return failure(path, "is a damaged object file: " + text(object.takeError()),
                     "compile it anew");
    if (Status status = addExported(path, **object); !status)
      return status;
    for (const object::SectionRef& section : (*object)->sections()) {
      auto name = section.getName();
      if (!name || *name != kBitcodeSection) {
        consumeError(name.takeError());
        continue;
      }
      auto contents = section.getContents();
      if (!contents)
        return failure(path, "is damaged: " + text(contents.takeError()), "compile it anew");
      if (Status status = addRecords(path, *contents); !status)
        return status;
    }
    return Success{};
  }

  Status addExported(const std::string& path, const object::ObjectFile& object) {
    auto* elf = dyn_cast<object::ELFObjectFileBase>(&object);
    if (!elf)
      return Success{};
    for (const object::SymbolRef& symbol : elf->getDynamicSymbolIterators()) {
      auto flags = symbol.getFlags();
      auto name = symbol.getName();
      if (!flags || !name) {
        llvm::Error error = joinErrors(flags.takeError(), name.takeError());
        return failure(path, "is damaged: " + text(std::move(error)), "compile it anew");
      }
      if (!(*flags & object::SymbolRef::SF_Undefined))
        exported_.insert(name->str());
    }
    return Success{};
  }

  Status addRecords(const std::string& path, StringRef bytes) {
    using support::endian::read32le;
    using support::endian::read64le;
    while (bytes.size() >= kBitcodeHeaderBytes) {
      if (read32le(bytes.data()) != kBitcodeMagic) {
        bytes = bytes.drop_front(8); // the linker's padding
        continue;
      }
      uint32_t version = read32le(bytes.data() + 4);
      uint64_t length = read64le(bytes.data() + 8);
      uint64_t packed = read64le(bytes.data() + 16);
      if (version != kBitcodeVersion)
        return failure(path,
                       fmt::format("has bitcode of version {}, this heddle reads version {}",
                                   version, kBitcodeVersion),
                       "compile it with the heddle-c++ that belongs to this heddle");
      if (packed > bytes.size() - kBitcodeHeaderBytes)
        return failure(path, "has damaged bitcode", "compile it anew");
      if (Status status = addPacked(path, bytes.substr(kBitcodeHeaderBytes, packed), length);
          !status)
        return status;
      uint64_t record = alignTo(kBitcodeHeaderBytes + packed, 8);
      bytes = bytes.drop_front(std::min<uint64_t>(record, bytes.size()));
    }
    return Success{};
  }

  Status addPacked(const std::string& path, StringRef packed, uint64_t length) {
    SmallVector<uint8_t, 0> raw;
    if (llvm::Error error =
            compression::zstd::decompress(arrayRefFromStringRef(packed), raw, length))
      return failure(path, "has damaged bitcode: " + text(std::move(error)), "compile it anew");
    return addUnit(path, MemoryBufferRef(toStringRef(raw), path));
  }

  /// A .bc file: what the compilers write has the analysable form inside, like an object file.
  Status addBitcode(const std::string& path, MemoryBufferRef bitcode) {
    LLVMContext context;
    auto file = getLazyBitcodeModule(bitcode, context); // its functions are not looked at
    if (!file)
      return unreadable(path, file.takeError());
    if ((*file)->getNamedMetadata(kNumberedMark))
      return addUnit(path, bitcode);
    for (const GlobalVariable& variable : (*file)->globals())
      if (auto* bytes = variable.getSection() == kBitcodeSection && variable.hasInitializer()
                            ? dyn_cast<ConstantDataSequential>(variable.getInitializer())
                            : nullptr)
        return addRecords(path, bytes->getRawDataValues());
    return failure(path, "is bitcode in which the accesses have no numbers",
                   "compile it with heddle-cc or heddle-c++, or have opt-19 number them: "
                   "opt-19 -load-pass-plugin=heddle_pass.so -passes=heddle-sites");
  }

  static heddle::Error unreadable(const std::string& path, llvm::Error error) {
    return failure(path, "has bitcode that LLVM 19 cannot read: " + text(std::move(error)),
                   "compile it with heddle-c++, which uses clang 19");
  }

  Status addUnit(const std::string& path, MemoryBufferRef bitcode) {
    auto unit = parseBitcodeFile(bitcode, *context_);
    if (!unit)
      return unreadable(path, unit.takeError());
    complaints_.clear();
    keepInline(**unit);
    dropValueRecords(**unit);
    foldConstants(**unit);
    foldBranches(**unit);
    if (linker_->linkInModule(std::move(*unit)))
      return failure(path,
                     "does not link with the units before it" +
                         (complaints_.empty() ? "" : ": " + complaints_),
                     "name files that belong to one program, each once");
    ++units_;
    return Success{};
  }

  std::string complaints_;
  std::unique_ptr<LLVMContext> context_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<Linker> linker_;
  std::vector<LoadedFile> files_;
  std::set<std::string> exported_;
  size_t units_ = 0;
};

} // namespace

Result<Program> loadProgram(const std::vector<std::string>& paths) {
  Loader loader;
  for (const std::string& path : paths)
    if (Status status = loader.addFile(path); !status)
      return status.error();
  return std::move(loader).take();
}

} // namespace heddle::analysis
