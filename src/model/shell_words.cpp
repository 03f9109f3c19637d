#include "model/shell_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heddle {
namespace {

bool isPlain(unsigned char c) {
  constexpr std::string_view signs = "_-./=:,+@%";
  return std::isalnum(c) || signs.find(static_cast<char>(c)) != std::string_view::npos;
}

} // namespace

std::string shellQuoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain))
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

} // namespace heddle
