#pragma once

#include "model/result.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A file that travels with a finding: the executable, an instrumented library.
struct BundleFile {
  std::string path; ///< where it was on the machine of the run
  uint32_t mode = 0755;
  std::string contents;
};

/// What `heddle export` writes: everything that a replay on another machine needs, in one file.
/// Magic and version in clear, then one zstd frame; docs/formats.md has the fields.
struct Bundle {
  StoredFinding finding;
  std::optional<PointsSet> points;
  std::vector<BundleFile> files;
};

std::string packBundle(const Bundle& bundle);

/// Whether the bytes start like a bundle, of whatever version.
bool looksLikeBundle(std::string_view bytes);

/// Refuses bundles of another version and damaged ones; never trusts a length in the file.
Result<Bundle> unpackBundle(std::string_view bytes);

} // namespace heddle
