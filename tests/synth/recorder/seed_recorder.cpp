// What the hooks of a recording call: writes a seed trace as text to the file that SEED_FILE names.
// For programs with one thread; the format is in docs/synthesis.md.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Zone : uint32_t { System = 0, Library = 1, Client = 2, Container = 3 };

struct Frame {
  uint32_t zone;
  const void* self;
  bool border;
};

constexpr uint32_t kMost = 1 << 16;
constexpr uint32_t kResult = 0xffff;

Frame frames[kMost];
uint32_t count = 0;
bool arguments = false;
const char* siteFile = "";
uint32_t siteLine = 0;
uint32_t siteColumn = 0;

FILE* out() {
  static FILE* file = [] {
    const char* name = std::getenv("SEED_FILE");
    FILE* opened = name ? std::fopen(name, "w") : nullptr;
    return opened ? opened : stderr;
  }();
  return file;
}

uint32_t zone() {
  for (uint32_t i = count; i-- > 0;)
    if (frames[i].zone != Container)
      return frames[i].zone;
  return Client;
}

bool inCall() {
  for (uint32_t i = 0; i < count; ++i)
    if (frames[i].border)
      return true;
  return false;
}

int byClient() { return zone() == Client; }

void writeText(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    std::fprintf(out(), "%02x", static_cast<unsigned char>(bytes[i]));
}

// The container that the memory belongs to: the outermost since the library or the client.
const void* container() {
  const void* found = nullptr;
  for (uint32_t i = count; i-- > 0 && frames[i].zone == Container;)
    found = frames[i].self;
  return found;
}

void pop(bool threw) {
  --count;
  if (frames[count].border)
    std::fprintf(out(), "R\t%d\n", threw);
}

} // namespace

extern "C" {

void __heddle_seed_tables(const char* text) { std::fputs(text, out()); }

void __heddle_seed_global(const char* name, const void* address, uint64_t size, uint64_t type,
                          uint32_t nameable) {
  std::fprintf(out(), "g\t%llu\t%llu\t%llu\t%s\t%u\n", (unsigned long long)address,
               (unsigned long long)size, (unsigned long long)type, name, nameable);
}

void __heddle_seed_test(const char* name) {
  if (!inCall())
    std::fprintf(out(), "t\t%s\n", name);
}

void __heddle_seed_site(const char* file, uint32_t line, uint32_t column) {
  siteFile = file;
  siteLine = line;
  siteColumn = column;
}

uint32_t __heddle_seed_enter(uint64_t method, uint32_t entered, const void* self) {
  bool border = entered == Library && zone() != Library;
  frames[count] = {entered, self, border};
  arguments = border;
  if (border)
    std::fprintf(out(), "c\t%llu\t%s\t%u\t%u\n", (unsigned long long)method, siteFile, siteLine,
                 siteColumn);
  return count++;
}

void __heddle_seed_value(uint32_t index, uint32_t kind, uint64_t type, uint64_t bits) {
  if (count == 0 || !frames[count - 1].border || (index != kResult && !arguments))
    return;
  if (kind == 8) { // a smart pointer
    std::memcpy(&bits, reinterpret_cast<const void*>(bits), sizeof bits);
    kind = 7;
  }
  std::fprintf(out(), "v\t%u\t%u\t%llu\t", index, kind, (unsigned long long)type);
  if (kind == 5) { // std::string: data, size
    uint64_t words[2];
    std::memcpy(words, reinterpret_cast<const void*>(bits), sizeof words);
    writeText(reinterpret_cast<const char*>(words[0]), words[1]);
  } else if (kind == 6 && bits) {
    writeText(reinterpret_cast<const char*>(bits),
              std::strlen(reinterpret_cast<const char*>(bits)));
  } else {
    std::fprintf(out(), "%llu", (unsigned long long)bits);
  }
  std::fputc('\n', out());
}

void __heddle_seed_leave(uint32_t depth) {
  while (count > depth + 1)
    pop(true);
  pop(false);
}

void __heddle_seed_unwound(uint32_t depth) {
  while (count > depth + 1)
    pop(true);
}

void __heddle_seed_access(const void* address, uint64_t size, uint32_t flags, const void* pointer,
                          const char* file, uint32_t line, uint32_t column) {
  arguments = false;
  bool isPointerWrite = (flags & 5) == 5;
  if (!inCall() && !isPointerWrite)
    return;
  std::fprintf(out(), "a\t%u\t%llu\t%llu\t%llu\t%d\t%s\t%u\t%u\n", flags,
               (unsigned long long)address, (unsigned long long)size, (unsigned long long)pointer,
               byClient(), file, line, column);
}

void __heddle_seed_copy(const void* to, const void* from, uint64_t size, const char* file,
                        uint32_t line, uint32_t column) {
  for (uint64_t at = 0; at + 8 <= size; at += 8) {
    const void* word;
    std::memcpy(&word, static_cast<const char*>(to) + at, sizeof word);
    __heddle_seed_access(static_cast<const char*>(from) + at, 8, 4, word, file, line, column);
    __heddle_seed_access(static_cast<const char*>(to) + at, 8, 5, word, file, line, column);
  }
}

void __heddle_seed_allocate(const void* address, uint64_t size, uint64_t type) {
  std::fprintf(out(), "m\t%llu\t%llu\t%llu\t%d\n", (unsigned long long)address,
               (unsigned long long)size, (unsigned long long)type, byClient());
  if (const void* owner = container())
    std::fprintf(out(), "o\t%llu\t%llu\t%llu\n", (unsigned long long)address,
                 (unsigned long long)size, (unsigned long long)owner);
}

void __heddle_seed_free(const void* address) {
  if (address)
    std::fprintf(out(), "f\t%llu\t%d\n", (unsigned long long)address, byClient());
}

void __heddle_seed_lock(const void* address, int result, uint32_t shared) {
  if (result == 0)
    std::fprintf(out(), "l\t%llu\t%u\t%d\n", (unsigned long long)address, shared, byClient());
}

void __heddle_seed_unlock(const void* address) {
  std::fprintf(out(), "u\t%llu\t%d\n", (unsigned long long)address, byClient());
}
}
