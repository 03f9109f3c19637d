#pragma once

/// What the runtime itself says on stderr.
namespace heddle::rt {

/// snprintf into a static buffer without locale, malloc or locks: %s %d %u %x %p %c %lu %lx %ld.
/// There are two buffers: a message may be an argument of the next one.
const char* formatMessage(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// Writes "heddle: MESSAGE" and a newline to stderr.
void writeError(const char* message);

} // namespace heddle::rt
