#pragma once

#include <string>

namespace heddle {

/// What a reader knows of an object that a site in a library's header names: for a member of the
/// library's own classes the public class ("std::deque" for "std::_Deque_iterator::_M_cur"), and
/// "" where nothing is left that stands in a manual (a library's local variable). Names of the
/// user's code come back as they are.
std::string publicName(const std::string& object);

} // namespace heddle
