#pragma once

#include <stdint.h>

/// The eleven access patterns that no serial execution of two units of work has: Vaziri, Tip, Dolby
/// (POPL 2006), as table 1 of Lai, Cheung, Chan: Detecting Atomic-Set Serializability Violations
/// in Multithreaded Programs through Active Randomized Testing (ICSE 2010) numbers them.
/// Freestanding: the runtime watches for them.
namespace heddle {

/// One access of a pattern: by the unit u (0) or u' (1), of the locations m1 (bit 0), m2 (bit 1).
struct PatternStep {
  uint8_t unit;
  bool write;
  uint8_t locations;
};

inline constexpr uint32_t kMaxPatternSteps = 4;
inline constexpr uint32_t kPatternCount = 11;

struct AccessPattern {
  uint32_t stepCount;
  PatternStep steps[kMaxPatternSteps];
};

/// What table 1 leaves open of the patterns 6, 8 and 9, in which u' accesses both locations in
/// between.
enum class PatternForm : uint32_t {
  InOrder,  ///< first m1, then m2
  Swapped,  ///< first m2, then m1
  Together, ///< both at once, as a copy of a struct does
};

/// Whether the steps of the units alternate, so that neither encloses the other.
constexpr bool isInterleaved(uint32_t pattern) {
  return pattern == 7 || pattern == 10 || pattern == 11;
}
constexpr bool hasTwoLocations(uint32_t pattern) { return pattern >= 6; }
/// Whether u' accesses both locations between two accesses of u.
constexpr bool isEnclosing(uint32_t pattern) {
  return hasTwoLocations(pattern) && !isInterleaved(pattern);
}

constexpr AccessPattern accessPattern(uint32_t pattern, PatternForm form) {
  constexpr bool R = false;
  constexpr bool W = true;
  // Whether u's first access, the accesses of u', and u's second one write.
  constexpr bool kinds[kPatternCount][3] = {{R, W, W}, {R, W, R}, {W, R, W}, {W, W, R},
                                            {W, W, W}, {W, W, W}, {W, W, W}, {W, R, W},
                                            {R, W, R}, {R, W, R}, {W, R, W}};
  const bool* kind = kinds[pattern - 1];
  if (!hasTwoLocations(pattern))
    return {3, {{0, kind[0], 1}, {1, kind[1], 1}, {0, kind[2], 1}}};
  if (isInterleaved(pattern))
    return {4, {{0, kind[0], 1}, {1, kind[1], 2}, {0, kind[2], 2}, {1, kind[1], 1}}};
  if (form == PatternForm::Together)
    return {3, {{0, kind[0], 1}, {1, kind[1], 3}, {0, kind[2], 2}}};
  bool swapped = form == PatternForm::Swapped;
  uint8_t first = swapped ? 2 : 1;
  uint8_t second = swapped ? 1 : 2;
  return {4, {{0, kind[0], 1}, {1, kind[1], first}, {1, kind[1], second}, {0, kind[2], 2}}};
}

} // namespace heddle
