#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace heddle {

/// Why something could not be done: what was found, what was expected, what to do next.
/// `exitCode` follows the contract: 1 usage or environment, 3 internal, 4 lost control.
struct Error {
  std::string message;
  int exitCode = 1;
};

/// A value or an Error. The one error type outside LLVM parts and the runtime.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

private:
  std::variant<T, Error> state_;
};

struct Unit {};
using Status = Result<Unit>;

} // namespace heddle
