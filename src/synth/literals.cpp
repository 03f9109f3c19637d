#include "synth/literals.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace heddle::synth {

std::string stringLiteral(const std::string& bytes) {
  std::string text = "\"";
  for (char c : bytes) {
    auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?')
      text += std::string("\\") + c;
    else if (code >= 0x20 && code < 0x7f)
      text += c;
    else {
      char octal[5]; // three digits always: a digit after it is not part of it
      std::snprintf(octal, sizeof octal, "\\%03o", code);
      text += octal;
    }
  }
  return text + "\"";
}

static std::string floatLiteral(double number) {
  if (std::isnan(number))
    return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(number))
    return std::string(number < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  std::string literal = text;
  return literal.find_first_of(".e") == std::string::npos ? literal + ".0" : literal;
}

/// The smallest long has no literal: its digits would be read first, without the sign.
static std::string integerLiteral(const Type& type, int64_t number) {
  bool isUnsigned = type.name.starts_with("unsigned") || type.name.starts_with("uint") ||
                    type.name == "size_t" || type.name.starts_with("std::uint") ||
                    type.name == "std::size_t";
  if (isUnsigned)
    return std::to_string(static_cast<uint64_t>(number)) + "u";
  if (number == std::numeric_limits<int64_t>::min())
    return "(" + std::to_string(number + 1) + " - 1)";
  return std::to_string(number);
}

static std::string enumLiteral(const Type& type, int64_t number) {
  for (const Enumerator& one : type.enumerators)
    if (one.value == number)
      return one.name;
  return "static_cast<" + type.name + ">(" + std::to_string(number) + ")";
}

std::optional<std::string> literal(const TypeTable& types, const Value& value) {
  switch (value.kind) {
  case ValueKind::Bool:
    return value.integer ? "true" : "false";
  case ValueKind::Integer:
    return integerLiteral(types[value.type], value.integer);
  case ValueKind::Float:
    return floatLiteral(value.number);
  case ValueKind::Enum:
    return enumLiteral(types[value.type], value.integer);
  case ValueKind::String:
    if (value.text.find('\0') == std::string::npos)
      return stringLiteral(value.text);
    return "std::string(" + stringLiteral(value.text) + ", " + std::to_string(value.text.size()) +
           ")";
  case ValueKind::Null:
    return "nullptr";
  case ValueKind::None:
  case ValueKind::Object:
  case ValueKind::Opaque:
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace heddle::synth
