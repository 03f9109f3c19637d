#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace heddle {

/// What kind of reason an error is. Which exit code that is, cli/ decides.
enum class ErrorKind {
  Usage,       ///< what was asked for cannot be done: a wrong word, a file of another kind
  Environment, ///< the machine does not let it: no such file, no permission, no space
  Internal,    ///< a mistake in heddle, or in what it stored
  LostControl, ///< the program does something that heddle does not control
  OutOfTime,   ///< the time limit was reached before the answer was known
  Interrupted, ///< somebody pressed Ctrl-C
};

/// Why something could not be done: what was found, what was expected, what to do next.
struct Error {
  std::string message;
  ErrorKind kind = ErrorKind::Usage;

  /// Something is wrong with the command line or the machine, and nothing with the program.
  bool isUsage() const { return kind == ErrorKind::Usage || kind == ErrorKind::Environment; }
  /// It was not let end: another time, or with more time, it may be done.
  bool isNotEnded() const { return kind == ErrorKind::OutOfTime || kind == ErrorKind::Interrupted; }
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

/// The value of what has none: that it was done is all there is to say.
struct Success {};
using Status = Result<Success>;

} // namespace heddle
