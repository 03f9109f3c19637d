#include "store/compression.h"

#include <zstd.h>

#include <memory>

namespace heddle {

std::string compress(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                   ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
  // With a buffer of compressBound() bytes it fails only when there is no memory at all.
  frame.resize(ZSTD_isError(size) ? 0 : size);
  return frame;
}

Result<std::string> decompress(std::string_view frame, size_t limit) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return Error{"compressed data is damaged: it does not start as a zstd frame with a size"};
  if (size > limit)
    return Error{"compressed data is damaged: it claims to hold " + std::to_string(size) +
                 " bytes, and at most " + std::to_string(limit) + " are expected"};
  std::string bytes(size, '\0');
  const size_t got = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) || got != size)
    return Error{std::string("compressed data is damaged: ") + ZSTD_getErrorName(got)};
  return bytes;
}

} // namespace heddle
