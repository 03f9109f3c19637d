#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// What a source file holds, and who compiles it.
struct SourceKind {
  std::string_view words;    ///< "C++ source"; empty: it is no source file
  std::string_view compiler; ///< "heddle-c++"
};

/// Judged by the end of the name, as compilers do.
constexpr SourceKind sourceKindOf(std::string_view path) {
  for (std::string_view end : {".cpp", ".cc", ".cxx", ".c++", ".C", ".cppm", ".ixx"})
    if (path.ends_with(end))
      return {"C++ source", "heddle-c++"};
  for (std::string_view end : {".hpp", ".hh", ".hxx", ".h++", ".H"})
    if (path.ends_with(end))
      return {"a C++ header", "heddle-c++"};
  if (path.ends_with(".c"))
    return {"C source", "heddle-cc"};
  if (path.ends_with(".h"))
    return {"a header", "heddle-c++"};
  return {};
}

constexpr bool isHeader(const SourceKind& kind) { return kind.words.ends_with("header"); }

/// How to get from a source file to what heddle works on; `options` stand between compiler and
/// file.
inline std::string compileAdvice(std::string_view path, std::string_view options) {
  SourceKind kind = sourceKindOf(path);
  if (isHeader(kind))
    return "compile the program that includes it with heddle-c++ (or heddle-cc) first, and name "
           "that one";
  return "compile it first, " + std::string(kind.compiler) + " -g " + std::string(path) +
         std::string(options) + ", and name what comes out";
}

} // namespace heddle
