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
inline constexpr uint32_t kBitcodeVersion = 2;
inline constexpr uint64_t kBitcodeHeaderBytes = 24;

/// Metadata of an instruction with sites: for each of them kSiteOperands operands.
inline constexpr const char* kSiteMetadata = "heddle.site";
/// Named metadata of a module whose accesses have their sites.
inline constexpr const char* kNumberedMark = "heddle.numbered";
enum SiteOperand : unsigned {
  kSiteNumber,   ///< i32, in the unit's table
  kSiteIdentity, ///< i64
  kSiteKind,     ///< i8, SiteKind
  kSiteFlags,    ///< i8, SiteFlags
  kSiteOrdinal,  ///< i32
  kSiteOffset,   ///< i32
  kSiteObject,   ///< string
  kSiteOperands
};

} // namespace heddle
