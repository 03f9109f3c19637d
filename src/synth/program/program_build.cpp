#include "synth/program/program_build.h"

#include "control/mapped_file.h"
#include "model/embedded_format.h"

#include <elf.h>
#include <zstd.h>

#include <filesystem>

namespace heddle::synth {
namespace {

template <typename T> T numberAt(std::string_view bytes, size_t at) {
  T value = 0;
  memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The units of a bitcode section.
Status addUnits(std::string_view section, const std::string& path,
                std::vector<std::string>& units) {
  while (true) {
    while (!section.empty() && section.front() == '\0')
      section.remove_prefix(1);
    if (section.size() < kBitcodeHeaderBytes || numberAt<uint32_t>(section, 0) != kBitcodeMagic)
      return Success{};
    if (numberAt<uint32_t>(section, 4) != kBitcodeVersion)
      return Error{path + " was compiled with another version of heddle; compile it again",
                   ErrorKind::Usage};
    auto plain = numberAt<uint64_t>(section, 8);
    auto packed = numberAt<uint64_t>(section, 16);
    if (packed > section.size() - kBitcodeHeaderBytes)
      return Error{"the bitcode in " + path + " is cut short; build it again", ErrorKind::Usage};
    std::string unit(plain, '\0');
    size_t size =
        ZSTD_decompress(unit.data(), unit.size(), section.data() + kBitcodeHeaderBytes, packed);
    if (ZSTD_isError(size) || size != plain)
      return Error{"the bitcode in " + path + " is damaged; build it again", ErrorKind::Usage};
    units.push_back(std::move(unit));
    section.remove_prefix(kBitcodeHeaderBytes + packed);
  }
}

} // namespace

Result<ProgramBuild> readBuild(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.error();
  ProgramBuild build;
  Elf64_Ehdr header = {};
  if (file->all().size() < sizeof header)
    return build;
  memcpy(&header, file->all().data(), sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return build;
  auto sections = file->table<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  if (header.e_shstrndx >= sections.size())
    return build;
  auto contents = [&](const Elf64_Shdr& one) { return file->slice(one.sh_offset, one.sh_size); };
  std::string_view names = contents(sections[header.e_shstrndx]);
  for (const Elf64_Shdr& section : sections) {
    std::string_view name = textAt(names, section.sh_name);
    if (name == kBitcodeSection)
      if (Status status = addUnits(contents(section), path, build.units); !status)
        return status.error();
    if (name != kBuildSection)
      continue;
    for (BuildRecord& record : decodeBuildRecords(contents(section)))
      if (record.step == BuildStep::Link)
        build.link = std::move(record);
      else
        build.compiles.push_back(std::move(record));
  }
  return build;
}

std::string absolutePath(const std::string& directory, const std::string& path) {
  return (std::filesystem::path(directory) / path).lexically_normal().string();
}

} // namespace heddle::synth
