#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The data members of a class as text, so that a site table can carry them: "name:offset+size",
/// bytes, with a "c" after what is constant, separated by ";". The pass writes it, the analysis of
/// atomic sets reads it.
namespace heddle {

struct Member {
  std::string name;
  uint64_t offset = 0;
  uint64_t size = 0;
  bool isConstant = false;
};

inline std::string printMembers(const std::vector<Member>& members) {
  std::string text;
  for (const Member& member : members)
    text += (text.empty() ? "" : ";") + member.name + ":" + std::to_string(member.offset) + "+" +
            std::to_string(member.size) + (member.isConstant ? "c" : "");
  return text;
}

/// What cannot be read is left out: names are all that depends on it.
inline std::vector<Member> parseMembers(std::string_view text) {
  std::vector<Member> members;
  while (!text.empty()) {
    std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(one.size() < text.size() ? one.size() + 1 : one.size());
    size_t colon = one.rfind(':');
    size_t plus = one.find('+', colon == std::string_view::npos ? 0 : colon);
    if (colon == std::string_view::npos || plus == std::string_view::npos)
      continue;
    auto number = [](std::string_view digits) {
      uint64_t value = 0;
      for (char c : digits)
        value = c >= '0' && c <= '9' ? value * 10 + static_cast<uint64_t>(c - '0') : value;
      return value;
    };
    members.push_back({std::string(one.substr(0, colon)),
                       number(one.substr(colon + 1, plus - colon - 1)),
                       number(one.substr(plus + 1)), one.ends_with('c')});
  }
  return members;
}

} // namespace heddle
