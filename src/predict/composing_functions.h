#pragma once

#include "model/event.h"
#include "model/site_catalog.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Finds the functions that put something together from steps of which each is atomic by itself:
/// while one of them runs, a thread takes the same lock twice, or uses the same atomic twice, and
/// others use it, too. Such a function may be meant to be atomic as a whole, as one that looks
/// whether there is something and then takes it.
///
/// Reads a trace that was recorded with kPlanStacks.
class ComposingFunctions {
public:
  void add(std::span<const Event> events);
  /// Linkage names, those that are called by others first: the innermost function that contains
  /// two steps is what they belong to. Without those of libraries.
  std::vector<std::string> innermostFirst(const SiteCatalog& sites) const;

private:
  /// Call sites, outermost first, and at the end the site of the step itself.
  using Path = std::vector<uint32_t>;
  struct Steps {
    std::map<uint32_t, Path> last; ///< by thread
    /// Where the paths of two steps of a thread, one after the other, part: the site of the second
    /// one, and its depth.
    std::map<uint32_t, size_t> parts;
  };

  void add(const Event& event);
  void frame(const Event& event);
  void step(const Event& event);

  std::vector<Path> frames_; ///< by thread
  std::map<uint64_t, Steps> objects_;
};

} // namespace heddle
