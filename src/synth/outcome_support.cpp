#include "synth/outcome_support.h"

namespace heddle::synth {

const char* const kOutcomeSupport = R"cpp(namespace outcome {

// A value as text, compared part by part: numbers, texts, optionals, pairs, tuples, ranges; a pointer by
// whether it is null. What has no such form is "?", and then nothing is said about it.
template <class T> std::string text(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(static_cast<long long>(value));
  else if constexpr (std::is_floating_point_v<T>) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(value));
    return digits;
  } else if constexpr (std::is_arithmetic_v<T>)
    return std::to_string(value);
  else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return '"' + std::string(std::string_view(value)) + '"';
  else if constexpr (requires { value.has_value(); *value; })
    return value.has_value() ? text(*value) : "none";
  else if constexpr (requires { value == nullptr; })
    return value == nullptr ? "null" : "an object";
  else if constexpr (requires { std::tuple_size<T>::value; value.begin(); } ||
                     requires { value.begin(); value.end(); }) {
    std::string all;
    for (const auto& one : value)
      all += (all.empty() ? "" : ", ") + text(one);
    return "[" + all + "]";
  } else if constexpr (requires { std::tuple_size<T>::value; })
    return std::apply(
        [](const auto&... parts) {
          std::string all;
          ((all += (all.empty() ? "" : ", ") + text(parts)), ...);
          return "(" + all + ")";
        },
        value);
  else
    return "?";
}

// An outcome is one line.
inline std::string line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return text;
}

// The result of a call, or what it throws.
template <class Call> std::string of(Call call) {
  try {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      return "done";
    } else
      return line(text(call()));
  } catch (const std::exception& error) {
    return line(std::string("threw ") + error.what());
  } catch (...) {
    return "threw";
  }
}

} // namespace outcome
)cpp";

} // namespace heddle::synth
