#pragma once

#include <stdint.h>

/// The bitcode that every instrumented object carries: what the pass writes and the static analysis
/// reads. docs/pass.md describes it.
namespace heddle {

/// Holds one record per unit, each aligned to 8 bytes, in link order, zeroes between them:
/// magic, version (4 bytes each), length of the bitcode, of its compressed form (8 each), the
/// latter.
inline constexpr const char* kBitcodeSection = ".heddle_bc";
inline constexpr uint32_t kBitcodeMagic = 0x43424448; // "HDBC"
inline constexpr uint32_t kBitcodeVersion = 3;
inline constexpr uint64_t kBitcodeHeaderBytes = 24;

/// Metadata of an instruction with sites: for each of them kSiteOperands operands. Both are
/// strings: LLVM keeps a string in a tenth of the memory that it needs for as many numbers.
inline constexpr const char* kSiteMetadata = "heddle.site";
/// Named metadata of a module whose accesses have their sites.
inline constexpr const char* kNumberedMark = "heddle.numbered";
enum SiteOperand : unsigned {
  kSiteRecord, ///< the bytes of an EmbeddedSite
  kSiteObject, ///< what is accessed
  kSiteOperands
};

struct __attribute__((packed)) EmbeddedSite {
  uint64_t identity;
  uint32_t number; ///< in the unit's table
  uint32_t ordinal;
  uint32_t offset;
  uint8_t kind;  ///< SiteKind
  uint8_t flags; ///< SiteFlags
};

} // namespace heddle
