#pragma once

#include <cstdint>
#include <string_view>

/// Functions that only the standard library's binary has, and that change memory of the program's
/// own containers: their calls are write accesses.
namespace heddle {

struct LibraryWrite {
  std::string_view function; ///< linkage name
  unsigned argument;         ///< points to what is written
  uint64_t bytes;
};

/// Null: the function is none of them. Of a tree it is the header, which every search begins with
/// and every change may write. What lists and hash tables change besides is visible: their number
/// of elements.
inline const LibraryWrite* findLibraryWrite(std::string_view function) {
  constexpr uint64_t treeHeader = 32; // color, parent, left, right
  static constexpr LibraryWrite writes[] = {
      {"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", 3, treeHeader},
      {"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", 1, treeHeader},
  };
  for (const LibraryWrite& write : writes)
    if (write.function == function)
      return &write;
  return nullptr;
}

} // namespace heddle
