#pragma once

#include "control/file_descriptor.h"
#include "model/result.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// A file mapped for reading, with bounds-checked views into it.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string& path) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat facts;
    if (!file || fstat(file.get(), &facts) != 0)
      return Error{"cannot read " + path + ": " + strerror(errno), ErrorKind::Environment};
    MappedFile mapped;
    mapped.bytes_ = static_cast<size_t>(facts.st_size);
    if (mapped.bytes_ == 0)
      return mapped;
    void* data = mmap(nullptr, mapped.bytes_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED)
      return Error{"cannot map " + path + ": " + strerror(errno), ErrorKind::Environment};
    mapped.data_ = static_cast<const char*>(data);
    return mapped;
  }

  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_)
      munmap(const_cast<char*>(data_), bytes_);
  }

  std::string_view all() const { return {data_, bytes_}; }

  std::string_view slice(uint64_t offset, uint64_t bytes) const {
    if (offset > bytes_ || bytes > bytes_ - offset)
      return {};
    return {data_ + offset, bytes};
  }

  template <typename T> std::vector<T> table(uint64_t offset, uint64_t count) const {
    std::vector<T> entries;
    if (count > bytes_ / sizeof(T))
      return entries;
    std::string_view raw = slice(offset, count * sizeof(T));
    entries.resize(raw.size() / sizeof(T));
    if (!entries.empty())
      memcpy(entries.data(), raw.data(), raw.size());
    return entries;
  }

private:
  MappedFile() = default;
  const char* data_ = nullptr;
  size_t bytes_ = 0;
};

/// The text at an offset of a string table; empty when it lies outside.
inline std::string_view textAt(std::string_view strings, uint64_t offset) {
  if (offset >= strings.size())
    return {};
  strings.remove_prefix(offset);
  return strings.substr(0, strings.find('\0'));
}

} // namespace heddle
