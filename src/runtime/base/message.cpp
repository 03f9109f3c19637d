#include "runtime/base/message.h"

#include "model/batch.h"
#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"

#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

constexpr uint32_t kBuffers = 2;
HEDDLE_LARGE char buffers[kBuffers][kMessageBytes];
uint32_t nextBuffer = 0;

/// Text that is cut where the buffer ends.
class Writer {
public:
  Writer(char* begin, size_t bytes) : at_(begin), end_(begin + bytes - 1) {}

  void put(char c) {
    if (at_ < end_)
      *at_++ = c;
  }
  void text(const char* text) {
    for (text = text ? text : "(null)"; *text; ++text)
      put(*text);
  }
  void number(uint64_t value, unsigned base) {
    char digits[24];
    uint32_t count = 0;
    do {
      digits[count++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value != 0);
    while (count > 0)
      put(digits[--count]);
  }
  void signedNumber(int64_t value) {
    if (value < 0)
      put('-');
    number(value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value), 10);
  }
  void finish() { *at_ = 0; }

private:
  char* at_;
  char* end_;
};

/// One conversion; returns the position of its last character.
const char* convert(Writer& out, const char* at, va_list arguments) {
  bool isLong = *at == 'l' || *at == 'z';
  at += isLong;
  at += isLong && *at == 'l';
  switch (*at) {
  case 's':
    out.text(va_arg(arguments, const char*));
    break;
  case 'c':
    out.put(static_cast<char>(va_arg(arguments, int)));
    break;
  case 'd':
    out.signedNumber(isLong ? va_arg(arguments, long) : va_arg(arguments, int));
    break;
  case 'u':
    out.number(isLong ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned), 10);
    break;
  case 'x':
    out.number(isLong ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned), 16);
    break;
  case 'p':
    out.text("0x");
    out.number(reinterpret_cast<uintptr_t>(va_arg(arguments, void*)), 16);
    break;
  default:
    out.put(*at);
    break;
  }
  return at;
}

} // namespace

const char* formatMessage(const char* format, ...) {
  char* buffer = buffers[nextBuffer++ % kBuffers];
  Writer out(buffer, kMessageBytes);
  va_list arguments;
  va_start(arguments, format);
  for (const char* at = format; *at; ++at) {
    if (*at != '%') {
      out.put(*at);
      continue;
    }
    if (*++at == 0)
      break;
    at = convert(out, at, arguments);
  }
  va_end(arguments);
  out.finish();
  return buffer;
}

void writeError(const char* message) {
  rawSyscall(SYS_write, 2, asLong("heddle: "), 8);
  rawSyscall(SYS_write, 2, asLong(message), static_cast<long>(strlen(message)));
  rawSyscall(SYS_write, 2, asLong("\n"), 1);
}

} // namespace heddle::rt
