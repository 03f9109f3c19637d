#pragma once

#include "control/file_descriptor.h"
#include "model/result.h"

#include <string>

namespace heddle {

/// What a session lends its processes: an empty temporary directory, captured output, and
/// their own copy of the input. Everything is gone when it is destroyed; what a process leaves
/// that was killed is removed by the first session of the next one.
class Scratch {
public:
  static Result<Scratch> create(const std::string& input, bool hasInput);
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&&) noexcept = default;
  ~Scratch();

  int temporary() const { return directory_.get(); }
  int output() const { return output_.get(); }
  int input() const { return input_.get(); }

  /// Empties the directory, rewinds the input and forgets the output: before each process.
  void renew();
  void forgetOutput();
  /// Forgets the output when it became so large that it would use up memory.
  void limitOutput();
  /// What was written since the last forgetOutput, at most its last megabyte.
  std::string readOutput() const;

private:
  Scratch() = default;

  struct Path {
    Path() = default;
    Path(Path&& other) noexcept : text(std::exchange(other.text, {})) {}
    Path& operator=(Path&& other) noexcept {
      std::swap(text, other.text);
      return *this;
    }
    std::string text;
  };
  Path path_;
  FileDescriptor lock_; ///< on the folder, as long as it is used
  FileDescriptor directory_;
  FileDescriptor output_;
  FileDescriptor input_;
};

} // namespace heddle
