#pragma once

#include "model/result.h"

#include <string>
#include <string_view>

namespace heddle {

/// One zstd frame with its size and a checksum.
std::string compress(std::string_view bytes);

/// The other direction. Refuses damaged data and, before anything is allocated, a frame that
/// claims to be larger than `limit`.
Result<std::string> decompress(std::string_view frame, size_t limit);

} // namespace heddle
