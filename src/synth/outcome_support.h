#pragma once

namespace heddle::synth {

/// Source that generated files carry: how a result becomes text, so that it can be compared. Plain
/// C++20, no header of heddle.
extern const char* const kOutcomeSupport;

} // namespace heddle::synth
