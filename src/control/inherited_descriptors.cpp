#include "control/inherited_descriptors.h"

#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace heddle {
namespace {

constexpr int kFirstOther = 3;

std::optional<int> descriptorIn(std::string_view argument) {
  for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    size_t at = argument.find(folder); // also in --file=/dev/fd/63
    if (at == std::string_view::npos)
      continue;
    const char* number = argument.data() + at + folder.size();
    int descriptor = 0;
    if (std::from_chars(number, argument.data() + argument.size(), descriptor).ec == std::errc())
      return descriptor;
  }
  return std::nullopt;
}

/// Kernels before 5.11 do not know the flag: the descriptors are passed on then.
void closeOnExec(int first, unsigned last) {
  if (static_cast<unsigned>(first) <= last)
    syscall(SYS_close_range, first, last, CLOSE_RANGE_CLOEXEC);
}

} // namespace

std::vector<int> namedDescriptors(const std::vector<std::string>& arguments) {
  std::vector<int> named;
  for (const std::string& argument : arguments)
    if (std::optional<int> descriptor = descriptorIn(argument))
      named.push_back(*descriptor);
  return named;
}

void passOnlyDescriptors(const std::vector<int>& kept) {
  int first = kFirstOther;
  for (int descriptor : kept) {
    if (descriptor < first)
      continue;
    closeOnExec(first, static_cast<unsigned>(descriptor) - 1);
    first = descriptor + 1;
  }
  closeOnExec(first, ~0u);
}

} // namespace heddle
