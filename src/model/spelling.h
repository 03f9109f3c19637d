#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The nearest of `known` to a misspelt word, or "" when nothing is near.
std::string didYouMean(std::string_view word, const std::vector<std::string>& known);

} // namespace heddle
