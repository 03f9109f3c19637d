#include "build_note.h"

#include "model/build_record.h"

#include <algorithm>
#include <cstdlib>
#include <elf.h>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::driver {
namespace {

/// SHF_GNU_RETAIN: kept by --gc-sections although nothing refers to it.
constexpr uint64_t kRetain = 1u << 21;

/// Longer command lines are left out: the kernel takes no more in one variable.
constexpr size_t kMaxBytes = 100'000;

std::string currentDirectory() {
  std::error_code ignored;
  return std::filesystem::current_path(ignored).string();
}

template <typename T> void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t offset, uint64_t size) {
  Elf64_Shdr header = {};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = 1;
  return header;
}

/// A relocatable object with one section that no program loads, and an empty one that says that
/// the stack need not be executable.
std::string objectWith(const std::string& content) {
  const std::string names =
      std::string("\0", 1) + kBuildSection + '\0' + ".shstrtab" + '\0' + ".note.GNU-stack" + '\0';
  const uint32_t stringName = 1 + static_cast<uint32_t>(std::string(kBuildSection).size()) + 1;
  const uint32_t stackName = stringName + 10;
  const uint64_t contentAt = sizeof(Elf64_Ehdr);
  const uint64_t namesAt = contentAt + content.size();
  const uint64_t tableAt = (namesAt + names.size() + 7) & ~uint64_t{7};
  Elf64_Ehdr header = {};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = tableAt;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 4;
  header.e_shstrndx = 2;
  std::string bytes;
  put(bytes, header);
  bytes += content + names;
  bytes.resize(tableAt, '\0');
  put(bytes, Elf64_Shdr{});
  // As the units' own records: linkers put sections of equal flags together.
  Elf64_Shdr record = section(1, SHT_PROGBITS, contentAt, content.size());
  record.sh_flags = SHF_ALLOC | kRetain;
  put(bytes, record);
  put(bytes, section(stringName, SHT_STRTAB, namesAt, names.size()));
  put(bytes, section(stackName, SHT_PROGBITS, namesAt, 0));
  return bytes;
}

bool writeAll(int file, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

} // namespace

void tellBuildCommand(const std::vector<std::string>& arguments) {
  std::string text = currentDirectory();
  for (const std::string& argument : arguments) {
    if (argument.find('\n') != std::string::npos)
      return;
    text += '\n' + argument;
  }
  if (text.size() <= kMaxBytes)
    setenv(kBuildVariable, text.c_str(), 1);
}

std::string linkRecordObject(const std::vector<std::string>& arguments) {
  int file = memfd_create("heddle-link", 0); // inherited by clang and the linker
  if (file < 0)
    return "";
  BuildRecord record{BuildStep::Link, currentDirectory(), "", arguments};
  if (!writeAll(file, objectWith(encodeBuildRecord(record)))) {
    close(file);
    return "";
  }
  return "/proc/self/fd/" + std::to_string(file);
}

} // namespace heddle::driver
