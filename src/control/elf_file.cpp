#include "control/elf_file.h"

#include "control/mapped_file.h"
#include "model/embedded_format.h"
#include "model/ids.h"
#include "model/source_files.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

/// Where HEDDLE_TEST of heddle/test.h leaves its name.
constexpr std::string_view kTestSection = "heddle_tests";

/// testing::UnitTest::GetInstance(), which RUN_ALL_TESTS() calls, and testing::InitGoogleTest().
constexpr std::string_view kGoogleTest[] = {"_ZN7testing8UnitTest11GetInstanceEv",
                                            "_ZN7testing14InitGoogleTestEPiPPc"};

constexpr std::string_view kArchiveMagic = "!<arch>\n";
constexpr std::string_view kRawBitcodeMagic = "BC\xC0\xDE";

std::string contentHash(std::string_view bytes) {
  uint64_t hash = bytes.size();
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    memcpy(&word, bytes.data() + at, 8);
    hash = mix(hash, word);
  }
  for (; at < bytes.size(); ++at)
    hash = mix(hash, static_cast<unsigned char>(bytes[at]));
  char text[32];
  snprintf(text, sizeof(text), "file-%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string hexOf(std::string_view bytes) {
  std::string text;
  char two[3];
  for (unsigned char byte : bytes) {
    snprintf(two, sizeof(two), "%02x", byte);
    text += two;
  }
  return text;
}

/// The GNU build id in a note section; empty when it holds another note.
std::string buildIdNote(std::string_view note) {
  Elf64_Nhdr header;
  if (note.size() < sizeof(header))
    return {};
  memcpy(&header, note.data(), sizeof(header));
  size_t nameBytes = (size_t{header.n_namesz} + 3) & ~size_t{3};
  if (header.n_type != NT_GNU_BUILD_ID || sizeof(header) + nameBytes > note.size())
    return {};
  return hexOf(note.substr(sizeof(header) + nameBytes).substr(0, header.n_descsz));
}

/// Collects the facts from section headers and symbol tables.
class ElfScan {
public:
  ElfScan(const MappedFile& file, const Elf64_Ehdr& header)
      : file_(file), sections_(file.table<Elf64_Shdr>(header.e_shoff, header.e_shnum)) {
    if (header.e_shstrndx < sections_.size())
      names_ = contents(sections_[header.e_shstrndx]);
    for (const Elf64_Phdr& segment : file.table<Elf64_Phdr>(header.e_phoff, header.e_phnum)) {
      facts_.dynamic |= segment.p_type == PT_INTERP || segment.p_type == PT_DYNAMIC;
      interpreter_ |= segment.p_type == PT_INTERP;
    }
    facts_.executable = header.e_type == ET_EXEC || interpreter_;
    facts_.object = header.e_type == ET_REL;
  }

  ElfFacts scan() {
    for (const Elf64_Shdr& section : sections_)
      scanSection(section);
    if (facts_.buildId.empty())
      facts_.buildId = contentHash(file_.all());
    return facts_;
  }

private:
  std::string_view contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS)
      return {};
    return file_.slice(section.sh_offset, section.sh_size);
  }

  void scanSection(const Elf64_Shdr& section) {
    std::string_view name = textAt(names_, section.sh_name);
    if (name == kBitcodeSection)
      facts_.instrumented = true;
    if (name == kTestSection)
      readTests(contents(section));
    if (section.sh_type == SHT_NOTE && facts_.buildId.empty())
      facts_.buildId = buildIdNote(contents(section));
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM)
      scanSymbols(section);
  }

  /// Names that each end with a NUL; the linker may leave more of them in between.
  void readTests(std::string_view names) {
    while (!names.empty()) {
      std::string_view name = names.substr(0, names.find('\0'));
      if (!name.empty())
        facts_.heddleTests.emplace_back(name);
      names.remove_prefix(std::min(names.size(), name.size() + 1));
    }
  }

  void scanSymbols(const Elf64_Shdr& section) {
    if (section.sh_link >= sections_.size())
      return;
    std::string_view names = contents(sections_[section.sh_link]);
    for (const Elf64_Sym& symbol :
         file_.table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      std::string_view name = textAt(names, symbol.st_name);
      if (name == "__heddle_register" && symbol.st_shndx != SHN_UNDEF)
        facts_.instrumented = facts_.runtime = true;
      if (name == "__tsan_init")
        facts_.threadSanitizer = true;
      facts_.googleTest |= name == kGoogleTest[0] || name == kGoogleTest[1];
    }
  }

  const MappedFile& file_;
  std::vector<Elf64_Shdr> sections_;
  std::string_view names_;
  ElfFacts facts_;
  bool interpreter_ = false;
};

Error notElf(const std::string& path, std::string_view bytes) {
  if (bytes.starts_with("#!")) {
    std::string interpreter(bytes.substr(2, bytes.find('\n') - 2));
    return Error{path + " is a script (" + interpreter +
                     "), not a program: give heddle the program that the script starts",
                 ErrorKind::Usage};
  }
  if (SourceKind source = sourceKindOf(path); !source.words.empty())
    return Error{path + " is " + std::string(source.words) +
                     ", not a program: " + compileAdvice(path, " -o prog"),
                 ErrorKind::Usage};
  if (bytes.starts_with(kArchiveMagic))
    return Error{path + " is an archive of object files, not a program: link it into one with "
                        "heddle-c++",
                 ErrorKind::Usage};
  if (bytes.starts_with(kRawBitcodeMagic))
    return Error{path + " is LLVM bitcode, not a program: `heddle analyze` reads it; to run it, "
                        "link it with heddle-c++",
                 ErrorKind::Usage};
  return Error{path + " is not a program (no ELF file): name one that heddle-c++ has linked",
               ErrorKind::Usage};
}

Error damaged(const std::string& path) {
  return Error{path + " is a damaged ELF file: build it again with heddle-c++", ErrorKind::Usage};
}

std::string machineName(uint16_t machine) {
  switch (machine) {
  case EM_AARCH64:
    return "AArch64";
  case EM_386:
    return "32-bit x86";
  case EM_ARM:
    return "ARM";
  case EM_RISCV:
    return "RISC-V";
  default:
    return "machine number " + std::to_string(machine);
  }
}

} // namespace

Result<ElfFacts> readElf(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.error();
  std::string_view bytes = file->all();
  if (!bytes.starts_with(ELFMAG))
    return notElf(path, bytes);
  Elf64_Ehdr header;
  if (bytes.size() < sizeof(header))
    return damaged(path);
  memcpy(&header, bytes.data(), sizeof(header));
  if (header.e_machine == EM_X86_64 && header.e_ident[EI_CLASS] == ELFCLASS32)
    return Error{path + " is built for the x32 ABI, with 32-bit addresses; heddle controls 64-bit "
                        "programs: build it without -mx32",
                 ErrorKind::Usage};
  if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return Error{path + " is built for " + machineName(header.e_machine) +
                     "; heddle controls x86-64 programs: build it for x86-64 with heddle-c++",
                 ErrorKind::Usage};
  bool whole = file->slice(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)).data() &&
               file->slice(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)).data();
  if (!whole)
    return damaged(path);
  return ElfScan(*file, header).scan();
}

} // namespace heddle
