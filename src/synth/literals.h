#pragma once

#include "synth/seed_trace.h"

#include <optional>
#include <string>

namespace heddle::synth {

/// The value as C++ source that gives exactly it; nothing for objects and opaque values.
std::optional<std::string> literal(const TypeTable& types, const Value& value);

/// A string literal, with what has to be escaped; never a trigraph, and no escape runs into the
/// character after it.
std::string stringLiteral(const std::string& bytes);

} // namespace heddle::synth
