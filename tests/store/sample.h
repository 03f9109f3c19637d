#pragma once

#include "store/store.h"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace heddle::test {

/// A folder that is gone when the test is.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

/// A finding in which no field has its default value.
Finding sampleFinding(const std::string& id = "H-3f2a00000001");

/// A run in which no field has its default value, with bytes that no text encoding keeps.
StoredRun sampleRun();

void expectEqual(const Finding& left, const Finding& right);
void expectEqual(const StoredRun& left, const StoredRun& right);

} // namespace heddle::test
