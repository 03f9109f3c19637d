#include "report/path_graph.h"

#include "report/wording.h"

#include <map>
#include <set>

namespace heddle {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

/// A graph of which a side's functions are its own: the same function is run by two threads.
class GraphText {
public:
  explicit GraphText(const Finding& finding) : finding_(finding) {}

  std::string write() && {
    text_ = "digraph " + quoted(finding_.id) + " {\n";
    text_ += "  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n";
    text_ += "  label=" + quoted(oneLine(finding_.message)) + ";\n";
    for (size_t side = 0; side < finding_.sites.size(); ++side)
      writeSide(side);
    if (finding_.sites.size() == 2)
      text_ += "  access0 -> access1 [dir=both, style=dashed, color=red, constraint=false, "
               "label=\"race\"];\n";
    return text_ + "}\n";
  }

private:
  void writeSide(size_t side) {
    const FindingSite& site = finding_.sites[side];
    std::string access = "access" + std::to_string(side);
    std::string place = site.location.file + ":" + std::to_string(site.location.line);
    text_ += "  " + access + " [shape=ellipse, color=red, label=" +
             quoted(site.access + " " + site.object + "\n" + place) + "];\n";
    std::set<std::string> edges;
    for (const Stack* stack : stacks(side))
      addStack(*stack, side, access, edges);
    for (const std::string& edge : edges)
      text_ += edge;
  }

  std::vector<const Stack*> stacks(size_t side) const {
    std::vector<const Stack*> all{&finding_.sites[side].stack};
    for (const PathPair& pair : finding_.paths)
      all.push_back(side == 0 ? &pair.first.stack : &pair.second.stack);
    return all;
  }

  void addStack(const Stack& stack, size_t side, const std::string& access,
                std::set<std::string>& edges) {
    std::string below = access;
    for (size_t i = 0; i < stack.size(); ++i) {
      std::string node = nodeOf(stack[i].function, side);
      std::string label = i == 0 || stack[i].line == 0
                              ? ""
                              : " [label=" + quoted(":" + std::to_string(stack[i].line)) + "]";
      edges.insert("  " + node + " -> " + below + label + ";\n");
      below = node;
    }
  }

  std::string nodeOf(const std::string& function, size_t side) {
    auto [entry, isNew] = nodes_.try_emplace({side, function}, "f" + std::to_string(nodes_.size()));
    if (isNew)
      text_ += "  " + entry->second + " [label=" + quoted(function) + "];\n";
    return entry->second;
  }

  const Finding& finding_;
  std::string text_;
  std::map<std::pair<size_t, std::string>, std::string> nodes_;
};

} // namespace

std::string pathGraph(const Finding& finding) { return GraphText(finding).write(); }

} // namespace heddle
