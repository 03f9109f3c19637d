#include "synth/access_path.h"

namespace heddle::synth {

bool AccessPath::isKnown() const { return root != RootKind::Fresh && root != RootKind::Unknown; }

AccessPath AccessPath::then(const std::string& edge) const {
  AccessPath longer = *this;
  longer.edges.push_back(edge);
  return longer;
}

static std::string rootText(const AccessPath& path) {
  switch (path.root) {
  case RootKind::Argument:
    return path.index == 0 ? "this" : "arg" + std::to_string(path.index);
  case RootKind::Result:
    return "result";
  case RootKind::Global:
    return "global" + std::to_string(path.index);
  case RootKind::Fresh:
  case RootKind::Unknown:
    break;
  }
  return "⊥";
}

std::string AccessPath::text() const {
  std::string text = rootText(*this);
  if (!isKnown())
    return text;
  for (const std::string& edge : edges)
    text += "." + edge;
  return text;
}

std::string MemberPath::text() const {
  std::string owner = object.text();
  if (!object.isKnown())
    return owner;
  return member.path.empty() ? "*" + owner : owner + "." + member.path;
}

} // namespace heddle::synth
