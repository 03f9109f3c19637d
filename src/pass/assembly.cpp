#include "assembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <string>

using namespace llvm;

namespace heddle::pass {
namespace {

/// What an instruction does with its operands, in AT&T order: the destination is the last one.
enum class Meaning {
  Nothing,    ///< with memory: pause, jumps, operations on registers
  Fence,      ///< orders all that the thread does
  Move,       ///< reads the first, writes the last operand
  Set,        ///< writes its operand
  Look,       ///< reads operands
  Change,     ///< reads and writes the last operand, reads the others
  Repeatable, ///< the same, and doing it again changes nothing more
  Exchange,   ///< swaps: locked by itself when an operand is memory
  Unknown,
};

Meaning classifyStem(StringRef stem) {
  return StringSwitch<Meaning>(stem)
      .Cases("pause", "nop", "lea", "cpuid", "rdtsc", "rdtscp", "rdpmc", Meaning::Nothing)
      .Cases("cld", "std", "endbr64", "push", "pop", "ret", "xgetbv", "ud2", Meaning::Nothing)
      .Cases("prefetch", "prefetchw", "prefetchnta", "prefetcht0", "prefetcht1", "prefetcht2",
             Meaning::Nothing)
      .Cases("int3", "hlt", "bswap", "imul", "mul", "rdrand", "rdseed", Meaning::Nothing)
      .Cases("mfence", "lfence", "sfence", "serialize", Meaning::Fence)
      .Cases("mov", "movz", "movs", "movzb", "movzw", "movsb", "movsw", "movsl", Meaning::Move)
      .Cases("movabs", "movnti", "movdqa", "movdqu", "movaps", "movups", "movd", Meaning::Move)
      .Cases("cmp", "test", "bt", Meaning::Look)
      .Cases("add", "sub", "inc", "dec", "neg", "not", "xadd", "adc", "sbb", Meaning::Change)
      .Cases("xor", "btc", "shl", "shr", "sal", "sar", "rol", "ror", Meaning::Change)
      .Cases("and", "or", "bts", "btr", "cmpxchg", "cmpxchg8b", "cmpxchg16b", Meaning::Repeatable)
      .Case("xchg", Meaning::Exchange)
      .Default(Meaning::Unknown);
}

uint32_t suffixBytes(char suffix) {
  switch (suffix) {
  case 'b':
    return 1;
  case 'w':
    return 2;
  case 'l':
    return 4;
  case 'q':
    return 8;
  default:
    return 0;
  }
}

struct Mnemonic {
  Meaning what;
  uint32_t bytes; ///< 0: the operands tell
};

Mnemonic classify(StringRef word) {
  if (Meaning plain = classifyStem(word); plain != Meaning::Unknown)
    return {plain, word == "cmpxchg16b" ? 16u : word == "cmpxchg8b" ? 8u : 0u};
  if (word.starts_with("j") || word.starts_with("loop"))
    return {Meaning::Nothing, 0};
  if (word.starts_with("set"))
    return {Meaning::Set, 1};
  if (word.starts_with("cmov"))
    return {Meaning::Move, 0};
  uint32_t bytes = word.empty() ? 0 : suffixBytes(word.back());
  return {bytes == 0 ? Meaning::Unknown : classifyStem(word.drop_back()), bytes};
}

/// An operand of the assembly as the call has it.
struct Operand {
  const Value* value = nullptr; ///< null: a result
  Type* pointee = nullptr;      ///< not null: the value is the address of the operand's memory
};

SmallVector<Operand, 8> operandsOf(const CallBase& call, bool& clobbersMemory) {
  SmallVector<Operand, 8> operands;
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo& info :
       cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {
    if (info.Type == InlineAsm::isClobber) {
      clobbersMemory |= is_contained(info.Codes, "{memory}");
      continue;
    }
    Operand operand;
    bool isArgument = info.Type == InlineAsm::isInput || info.isIndirect;
    if (isArgument && argument < call.arg_size()) {
      operand.value = call.getArgOperand(argument);
      if (info.isIndirect)
        operand.pointee = call.getParamElementType(argument);
      ++argument;
    }
    operands.push_back(operand);
  }
  return operands;
}

/// Clang writes both dialects as $(att$|intel$).
std::string attText(StringRef text) {
  std::string result;
  bool skipping = false;
  for (size_t i = 0; i < text.size(); ++i) {
    StringRef two = text.substr(i, 2);
    if (two == "$(" || two == "$|" || two == "$)") {
      skipping = two == "$|";
      ++i;
    } else if (!skipping) {
      result += two == "$$" ? "$$" : std::string(1, text[i]);
      i += two == "$$";
    }
  }
  return result;
}

/// A reference to memory in the text.
struct Memory {
  const Value* address = nullptr; ///< null: memory that the text names by itself, as the stack
  int64_t displacement = 0;
  uint32_t size = 0;
};

/// Reads the text of one assembly, instruction by instruction.
class Reader {
public:
  Reader(const CallBase& call, AssemblyEffect& effect)
      : layout_(call.getModule()->getDataLayout()), effect_(effect),
        operands_(operandsOf(call, clobbersMemory_)) {}

  void read(StringRef text) {
    std::string att = attText(text);
    SmallVector<StringRef, 8> lines;
    StringRef(att).split(lines, '\n');
    for (StringRef line : lines) {
      SmallVector<StringRef, 8> statements;
      line.split('#').first.split(statements, ';');
      for (StringRef statement : statements)
        readStatement(statement.trim());
    }
    finish();
  }

private:
  void readStatement(StringRef statement) {
    while (statement.contains(':') && isLabel(statement.split(':').first))
      statement = statement.split(':').second.trim();
    while (!statement.empty()) {
      auto [word, rest] = splitWord(statement);
      if (word == "lock")
        locked_ = true;
      else if (word != "rep" && word != "repz" && word != "repne" && word != "notrack")
        return readInstruction(word, rest);
      statement = rest;
    }
  }

  static bool isLabel(StringRef text) {
    return !text.empty() && all_of(text, [](char c) {
      return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '{' || c == '}' || c == '=';
    });
  }

  static std::pair<StringRef, StringRef> splitWord(StringRef text) {
    size_t end = text.find_first_of(" \t");
    return {text.substr(0, end), end == StringRef::npos ? StringRef() : text.substr(end).trim()};
  }

  void readInstruction(StringRef word, StringRef operands) {
    anything_ = true;
    bool locked = std::exchange(locked_, false);
    if (word.starts_with(".") && !isData(word))
      return; // a directive makes no code, or some for another section
    Mnemonic mnemonic = classify(word);
    if (mnemonic.what == Meaning::Unknown) {
      unknown_ = true;
      return;
    }
    if (mnemonic.what == Meaning::Fence)
      effect_.fence = true;
    if (mnemonic.what == Meaning::Nothing || mnemonic.what == Meaning::Fence)
      return;
    SmallVector<StringRef, 4> parts = splitOperands(operands);
    for (size_t i = 0; i < parts.size(); ++i)
      if (std::optional<Memory> memory = memoryAt(parts[i], mnemonic.bytes, parts))
        touch(*memory, mnemonic.what, locked, i + 1 == parts.size());
  }

  /// Instructions that the assembler need not know.
  static bool isData(StringRef directive) {
    return directive == ".byte" || directive == ".word" || directive == ".long" ||
           directive == ".quad";
  }

  static SmallVector<StringRef, 4> splitOperands(StringRef text) {
    SmallVector<StringRef, 4> parts;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size())
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      bool ends = i == text.size() || (text[i] == ',' && depth == 0);
      if (!ends)
        continue;
      if (StringRef part = text.substr(begin, i - begin).trim(); !part.empty())
        parts.push_back(part);
      begin = i + 1;
    }
    return parts;
  }

  /// "$3", "${3:w}": the operand; null for everything else.
  const Operand* reference(StringRef text) const {
    if (!text.consume_front("$") || text.starts_with("$"))
      return nullptr;
    if (text.consume_front("{"))
      text = text.split('}').first.split(':').first;
    unsigned number;
    if (text.getAsInteger(10, number) || number >= operands_.size())
      return nullptr;
    return &operands_[number];
  }

  std::optional<Memory> memoryAt(StringRef text, uint32_t bytes, ArrayRef<StringRef> parts) const {
    text.consume_front("*");
    if (const Operand* operand = reference(text)) {
      if (!operand->pointee)
        return std::nullopt;
      uint32_t size = layout_.getTypeStoreSize(operand->pointee).getKnownMinValue();
      return Memory{operand->value, 0, bytes != 0 ? bytes : size};
    }
    size_t open = text.find('(');
    if (open == StringRef::npos)
      return std::nullopt; // a register, or a number
    Memory memory;
    memory.size = bytes != 0 ? bytes : registerBytes(parts);
    StringRef base = text.substr(open + 1).split(')').first;
    const Operand* operand = reference(base.trim());
    bool known = operand && operand->value && operand->value->getType()->isPointerTy();
    StringRef displacement = text.substr(0, open).trim();
    if (known && (displacement.empty() || !displacement.getAsInteger(0, memory.displacement)))
      memory.address = operand->value;
    return memory;
  }

  /// Where the mnemonic says nothing, a register does.
  uint32_t registerBytes(ArrayRef<StringRef> parts) const {
    for (StringRef part : parts)
      if (const Operand* operand = reference(part); operand && operand->value && !operand->pointee)
        return layout_.getTypeStoreSize(operand->value->getType()).getKnownMinValue();
    return 4;
  }

  void touch(const Memory& memory, Meaning what, bool locked, bool last) {
    bool exchange = what == Meaning::Exchange;
    bool changes = what == Meaning::Change || what == Meaning::Repeatable;
    if (locked || exchange) {
      if (!memory.address) // the usual barrier: a locked instruction on the stack
        effect_.fence = true;
      else
        add(memory, SiteKind::AtomicUpdate);
      effect_.repeatable &= exchange || what == Meaning::Repeatable;
      return;
    }
    bool writes = last && what != Meaning::Look;
    bool reads = !last || what == Meaning::Look || changes;
    if (!memory.address) {
      elsewhere_ = true;
      return;
    }
    effect_.repeatable &= !writes;
    if (changes && last) { // two steps, between which others may come
      add(memory, SiteKind::Read);
      add(memory, SiteKind::Write);
      return;
    }
    if (reads)
      add(memory, SiteKind::AtomicRead);
    if (writes)
      add(memory, SiteKind::AtomicWrite);
  }

  void add(const Memory& memory, SiteKind kind) {
    if (isa<AllocaInst>(getUnderlyingObject(memory.address, /*MaxLookup=*/0)))
      return; // a result, or an operand in the caller's frame
    for (AssemblyAccess& known : effect_.accesses)
      if (known.address == memory.address && known.displacement == memory.displacement &&
          known.kind == kind)
        return;
    effect_.accesses.push_back({kind, memory.address, memory.displacement, memory.size});
  }

  /// A locked instruction stands for all that the text does to the same memory.
  void finish() {
    for (const AssemblyAccess& strong : std::vector<AssemblyAccess>(effect_.accesses))
      if (strong.kind == SiteKind::AtomicUpdate)
        erase_if(effect_.accesses, [&](const AssemblyAccess& access) {
          return access.address == strong.address && access.displacement == strong.displacement &&
                 access.kind != SiteKind::AtomicUpdate;
        });
    bool hasMemory = any_of(operands_, [](const Operand& operand) { return operand.pointee; });
    effect_.opaque =
        (unknown_ && (clobbersMemory_ || hasMemory)) || (elsewhere_ && clobbersMemory_);
    // A barrier for the compiler: on this processor the stores after it are releases.
    effect_.fence |= !anything_ && clobbersMemory_;
    effect_.repeatable &= !effect_.opaque;
  }

  const DataLayout& layout_;
  AssemblyEffect& effect_;
  bool clobbersMemory_ = false;
  SmallVector<Operand, 8> operands_;
  bool locked_ = false;    ///< the prefix stood alone
  bool unknown_ = false;   ///< an instruction that is in no list
  bool elsewhere_ = false; ///< memory that the constraints do not name
  bool anything_ = false;  ///< there is an instruction
};

} // namespace

bool AssemblyEffect::updates() const {
  return any_of(accesses, [](const AssemblyAccess& access) { return isWrite(access.kind); });
}

AssemblyEffect assemblyEffect(const CallBase& call) {
  AssemblyEffect effect;
  const auto* code = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!code)
    return effect;
  if (code->getDialect() != InlineAsm::AD_ATT) {
    effect.opaque = any_of(code->ParseConstraints(), [](const InlineAsm::ConstraintInfo& info) {
      return info.isIndirect || is_contained(info.Codes, "{memory}");
    });
    effect.repeatable = !effect.opaque;
    return effect;
  }
  Reader(call, effect).read(code->getAsmString());
  return effect;
}

} // namespace heddle::pass
