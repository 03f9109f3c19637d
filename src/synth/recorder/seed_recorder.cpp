// What the hooks of a recording call: writes a seed trace as text to the file that
// HEDDLE_SEED_FILE names (docs/synthesis.md has the format). Linked into a copy of the sequential
// tests that `heddle synth` makes. Tells what the first thread does; that there is another one is
// told too. A trace that becomes too long is cut, and ends with a line that says so.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace {

enum Zone : uint32_t { System = 0, Library = 1, Client = 2, Container = 3 };
enum Kind : uint32_t { String = 5, CString = 6, Object = 7, SmartPointer = 8 };

struct Site {
  const char* file;
  uint32_t line;
  uint32_t column;
};

struct Frame {
  uint32_t zone;
  const void* self;
  bool border;
  Site step; ///< the call that it makes
};

constexpr uint32_t kMaxFrames = 1 << 16;
constexpr uint32_t kResult = 0xffff;
constexpr uint64_t kMaxBytes = 256u << 20;
constexpr size_t kBufferBytes = 1 << 16;
constexpr size_t kMaxLine = 4096;

Frame frames[kMaxFrames];
uint32_t count = 0;
uint32_t borders = 0; ///< frames that the client called
bool arguments = false;
uint64_t inner = 0;     ///< the function that the library has just called itself
Site site = {"", 0, 0}; ///< the call that the client makes

int file = -2; ///< -2: not opened yet, -1: nothing is told
char buffer[kBufferBytes];
size_t used = 0;
uint64_t written = 0;
pthread_t first;
bool sawThread = false;

void flush() {
  for (size_t done = 0; file >= 0 && done < used;) {
    ssize_t bytes = write(file, buffer + done, used - done);
    if (bytes <= 0)
      break;
    done += static_cast<size_t>(bytes);
  }
  written += used;
  used = 0;
}

void put(const char* text, size_t size) {
  while (size > 0) {
    size_t part = size < kBufferBytes - used ? size : kBufferBytes - used;
    std::memcpy(buffer + used, text, part);
    used += part;
    text += part;
    size -= part;
    if (used == kBufferBytes)
      flush();
  }
}

void put(const char* text) { put(text, std::strlen(text)); }

__attribute__((format(printf, 1, 2))) void tell(const char* format, ...) {
  char line[kMaxLine];
  va_list values;
  va_start(values, format);
  int length = std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length > 0 && static_cast<size_t>(length) < sizeof line)
    put(line, static_cast<size_t>(length));
}

void leaveToParent() { file = -1; }

void open() {
  const char* name = std::getenv("HEDDLE_SEED_FILE");
  file = name ? ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  first = pthread_self();
  pthread_atfork(nullptr, nullptr, leaveToParent);
}

// Whether the calling thread is to be told about.
bool isTold() {
  if (file == -2)
    open();
  if (file < 0)
    return false;
  if (!pthread_equal(pthread_self(), first)) {
    __atomic_store_n(&sawThread, true, __ATOMIC_RELAXED); // the first thread tells it
    return false;
  }
  static bool told = false;
  if (!told && __atomic_load_n(&sawThread, __ATOMIC_RELAXED)) {
    told = true;
    put("X\n");
  }
  if (written > kMaxBytes) {
    put("Z\n");
    flush();
    file = -1;
  }
  return file >= 0;
}

uint32_t zone() {
  for (uint32_t i = count; i-- > 0;)
    if (frames[i].zone != Container)
      return frames[i].zone;
  return Client;
}

int byClient() { return zone() == Client; }

unsigned long long number(const void* address) {
  return static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address));
}

void putHex(const char* bytes, size_t size) {
  constexpr const char* digits = "0123456789abcdef";
  for (size_t i = 0; i < size; ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    char two[2] = {digits[byte >> 4], digits[byte & 15]};
    put(two, 2);
  }
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
  if (!frames[count].border)
    return;
  --borders;
  tell("R\t%d\n", threw);
}

// Code of the system acts for the library or the client that called it.
Site caller() {
  for (uint32_t i = count; i-- > 0;)
    if (frames[i].zone != Container)
      return frames[i].zone == Library ? frames[i].step : site;
  return site;
}

void tellAccess(const void* address, uint64_t size, uint32_t flags, const void* pointer,
                Site place) {
  arguments = false;
  bool isPointerWrite = (flags & 5) == 5;
  if (borders == 0 && !isPointerWrite)
    return;
  if (!*place.file)
    place = caller();
  tell("a\t%u\t%llu\t%llu\t%llu\t%d\t%s\t%u\t%u\n", flags, number(address),
       static_cast<unsigned long long>(size), number(pointer), byClient(), place.file, place.line,
       place.column);
}

__attribute__((destructor(101))) void finish() {
  if (isTold()) // what a thread has done meanwhile, too
    flush();
}

} // namespace

extern "C" {

void __heddle_seed_tables(const char* text) {
  if (isTold())
    put(text);
}

void __heddle_seed_global(const char* name, const void* address, uint64_t size, uint64_t type,
                          uint32_t nameable) {
  if (isTold())
    tell("g\t%llu\t%llu\t%llu\t%s\t%u\n", number(address), static_cast<unsigned long long>(size),
         static_cast<unsigned long long>(type), name, nameable);
}

void __heddle_seed_test(const char* name) {
  if (isTold() && borders == 0) {
    tell("t\t%s\n", name);
    flush();
  }
}

void __heddle_seed_site(const char* path, uint32_t line, uint32_t column) {
  if (isTold())
    site = {path, line, column};
}

void __heddle_seed_step(const char* path, uint32_t line, uint32_t column) {
  if (isTold() && count > 0)
    frames[count - 1].step = {path, line, column};
}

uint32_t __heddle_seed_enter(uint64_t method, uint32_t entered, const void* self) {
  if (!isTold() || count == kMaxFrames)
    return UINT32_MAX;
  bool border = entered == Library && zone() != Library;
  frames[count] = {entered, self, border, {"", 0, 0}};
  arguments = border;
  inner = border ? 0 : method;
  if (border) {
    ++borders;
    tell("c\t%llu\t%s\t%u\t%u\n", static_cast<unsigned long long>(method), site.file, site.line,
         site.column);
  }
  return count++;
}

void __heddle_seed_value(uint32_t index, uint32_t kind, uint64_t type, uint64_t bits) {
  if (!isTold() || count == 0)
    return;
  if (inner && index == 0 && kind == Object) // a constructor tells the class of what it makes
    tell("n\t%llu\t%llu\t%d\n", static_cast<unsigned long long>(inner),
         static_cast<unsigned long long>(bits), byClient());
  inner = 0;
  if (!frames[count - 1].border || (index != kResult && !arguments))
    return;
  if (kind == SmartPointer) {
    std::memcpy(&bits, reinterpret_cast<const void*>(bits), sizeof bits);
    kind = Object;
  }
  tell("v\t%u\t%u\t%llu\t", index, kind, static_cast<unsigned long long>(type));
  if (kind == String) { // std::string: data, size
    uint64_t words[2];
    std::memcpy(words, reinterpret_cast<const void*>(bits), sizeof words);
    putHex(reinterpret_cast<const char*>(words[0]), words[1]);
  } else if (kind == CString && bits) {
    putHex(reinterpret_cast<const char*>(bits), std::strlen(reinterpret_cast<const char*>(bits)));
  } else {
    tell("%llu", static_cast<unsigned long long>(bits));
  }
  put("\n");
}

void __heddle_seed_unwound(uint32_t depth) {
  if (depth == UINT32_MAX || !isTold())
    return;
  while (count > depth + 1)
    pop(true);
}

void __heddle_seed_leave(uint32_t depth) {
  if (depth == UINT32_MAX || !isTold() || count <= depth)
    return;
  __heddle_seed_unwound(depth);
  pop(false);
}

void __heddle_seed_access(const void* address, uint64_t size, uint32_t flags, const void* pointer,
                          const char* path, uint32_t line, uint32_t column) {
  if (isTold())
    tellAccess(address, size, flags, pointer, {path, line, column});
}

void __heddle_seed_copy(const void* to, const void* from, uint64_t size, const char* path,
                        uint32_t line, uint32_t column) {
  if (!isTold())
    return;
  for (uint64_t at = 0; at + 8 <= size; at += 8) {
    const void* word;
    std::memcpy(&word, static_cast<const char*>(to) + at, sizeof word);
    tellAccess(static_cast<const char*>(from) + at, 8, 4, word, {path, line, column});
    tellAccess(static_cast<const char*>(to) + at, 8, 5, word, {path, line, column});
  }
}

void __heddle_seed_allocate(const void* address, uint64_t size, uint64_t type) {
  if (!isTold())
    return;
  tell("m\t%llu\t%llu\t%llu\t%d\n", number(address), static_cast<unsigned long long>(size),
       static_cast<unsigned long long>(type), byClient());
  if (const void* owner = container())
    tell("o\t%llu\t%llu\t%llu\n", number(address), static_cast<unsigned long long>(size),
         number(owner));
}

void __heddle_seed_free(const void* address) {
  if (isTold() && address)
    tell("f\t%llu\t%d\n", number(address), byClient());
}

void __heddle_seed_lock(const void* address, int result, uint32_t shared) {
  if (isTold() && result == 0)
    tell("l\t%llu\t%u\t%d\n", number(address), shared, byClient());
}

void __heddle_seed_unlock(const void* address) {
  if (isTold())
    tell("u\t%llu\t%d\n", number(address), byClient());
}
}
