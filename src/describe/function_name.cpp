#include "describe/function_name.h"

#include "model/site_catalog.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heddle {
namespace {

constexpr std::string_view kOperator = "operator";
constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// Where the parts of a demangled name begin, seen from outside all brackets.
struct NameParts {
  size_t begin = 0; ///< behind the return type
  size_t end = 0;   ///< the parameter list, or the end
};

/// The end of an operator's name: its signs are no brackets, its type no return type.
size_t skipOperator(std::string_view text, size_t at) {
  size_t end = at + kOperator.size();
  if (text.substr(end).starts_with("()"))
    return end + 2;
  if (end < text.size() && text[end] == ' ')
    return std::min(text.find('(', end), text.size());
  return std::min(text.find_first_not_of("<>=!+-*/&|^~%[],", end), text.size());
}

NameParts findParts(std::string_view text) {
  NameParts parts;
  parts.end = text.size();
  int depth = 0;
  bool inTail = false; // behind the parameters: " const", " &&"
  for (size_t i = 0; i < text.size(); ++i) {
    std::string_view rest = text.substr(i);
    if (rest.starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    if (depth == 0 && rest.starts_with(kOperator)) {
      i = skipOperator(text, i) - 1;
      inTail = false;
      continue;
    }
    char c = text[i];
    if (depth == 0 && c == '(') {
      parts.end = i;
      inTail = true;
    }
    if (depth == 0 && c == ':')
      inTail = false; // what looked like parameters belongs to an enclosing function
    // "decltype (...) f(...)": a word behind brackets that are not the last ones.
    if (depth == 0 && c == ' ' && !(inTail && text.find('(', i) == std::string_view::npos))
      parts.begin = i + 1;
    if (c == '(' || c == '<' || c == '{' || c == '[')
      ++depth;
    if ((c == ')' || c == '>' || c == '}' || c == ']') && depth > 0)
      --depth;
  }
  if (!inTail && parts.end < text.size() && text.substr(parts.end).find("::") != text.npos)
    parts.end = text.size();
  return parts;
}

} // namespace

std::string shortFunctionName(const std::string& demangled) {
  NameParts parts = findParts(demangled);
  if (parts.begin >= parts.end)
    parts.begin = 0;
  std::string name = demangled.substr(parts.begin, parts.end - parts.begin);
  // "get[abi:cxx11]": nobody has written that.
  for (size_t tag = name.find("[abi:"); tag != std::string::npos; tag = name.find("[abi:")) {
    size_t end = name.find(']', tag);
    name.erase(tag, end == std::string::npos ? end : end - tag + 1);
  }
  return name;
}

std::string readableMessage(const std::string& message) {
  constexpr std::string_view kTypeInfo = "typeinfo for ";
  std::string text;
  for (size_t at = 0; at < message.size();) {
    size_t begin = std::min(message.find("_Z", at), message.size());
    text.append(message, at, begin - at);
    size_t end = begin;
    while (end < message.size() && (isalnum(static_cast<unsigned char>(message[end])) ||
                                    message[end] == '_' || message[end] == '$'))
      ++end;
    std::string name = demangle(message.substr(begin, end - begin));
    text += name.starts_with(kTypeInfo) ? name.substr(kTypeInfo.size()) : name;
    at = end;
  }
  return text;
}

} // namespace heddle
