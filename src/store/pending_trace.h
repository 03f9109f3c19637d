#pragma once

#include <string>
#include <utility>

namespace heddle {

/// A place in the store for a trace that is being written (with model/trace_file.h). It has a
/// temporary name until Store::keepTrace(); without that the destructor removes the file.
class PendingTrace {
public:
  explicit PendingTrace(std::string path) : path_(std::move(path)) {}
  PendingTrace(PendingTrace&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PendingTrace& operator=(PendingTrace&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~PendingTrace();

  const std::string& path() const { return path_; }

  /// The file has its final name now, and stays.
  void release() { path_.clear(); }

private:
  std::string path_;
};

} // namespace heddle
