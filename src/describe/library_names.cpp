#include "describe/library_names.h"

#include <array>
#include <cctype>
#include <string_view>

namespace heddle {
namespace {

struct PublicClass {
  std::string_view prefix; ///< of a reserved name, without the namespace
  std::string_view name;
};

/// libstdc++'s classes behind the public ones.
constexpr std::array kClasses = {
    PublicClass{"__atomic_base", "std::atomic"},
    PublicClass{"__atomic_flag_base", "std::atomic_flag"},
    PublicClass{"__atomic_float", "std::atomic"},
    PublicClass{"_Deque_", "std::deque"},
    PublicClass{"_Vector_", "std::vector"},
    PublicClass{"_Bvector_", "std::vector<bool>"},
    PublicClass{"_Bit_", "std::vector<bool>"},
    PublicClass{"_List_", "std::list"},
    PublicClass{"_Fwd_list_", "std::forward_list"},
    PublicClass{"_Rb_tree", "std::map or std::set"},
    PublicClass{"_Hash", "std::unordered_map or std::unordered_set"},
    PublicClass{"_Function_base", "std::function"},
    PublicClass{"_Any_data", "std::function"},
    PublicClass{"_Sp_", "std::shared_ptr"},
    PublicClass{"__shared_", "std::shared_ptr"},
    PublicClass{"__weak_", "std::weak_ptr"},
    PublicClass{"__uniq_ptr", "std::unique_ptr"},
    PublicClass{"_Optional_", "std::optional"},
    PublicClass{"_Variant_", "std::variant"},
    PublicClass{"_Tuple_", "std::tuple"},
    PublicClass{"_Head_base", "std::tuple"},
    PublicClass{"__basic_future", "std::future"},
    PublicClass{"__future_base", "std::future"},
    PublicClass{"_State_base", "std::future"},
    PublicClass{"__mutex_base", "std::mutex"},
    PublicClass{"__recursive_mutex_base", "std::recursive_mutex"},
    PublicClass{"__shared_mutex", "std::shared_mutex"},
    PublicClass{"__condvar", "std::condition_variable"},
};

/// Names that the C++ standard keeps for its implementation: "_M_cur", "__detail".
bool isReserved(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])));
}

bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the first reserved word begins, outside of template arguments; npos without one.
size_t findReserved(std::string_view name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    bool starts = isWordPart(name[i]) && (i == 0 || !isWordPart(name[i - 1]));
    if (depth == 0 && starts && isReserved(name.substr(i)))
      return i;
  }
  return std::string_view::npos;
}

bool isInNamespace(std::string_view before) {
  return before.empty() || before == "std::" || before == "*" || before == "__gnu_cxx::";
}

std::string withoutSeparator(std::string_view name) {
  while (!name.empty() && (name.back() == ':' || name.back() == '.' || name.back() == '*'))
    name.remove_suffix(1);
  return name == "std" || name == "__gnu_cxx" ? std::string() : std::string(name);
}

} // namespace

std::string publicName(const std::string& object) {
  size_t at = findReserved(object);
  if (at == std::string::npos)
    return object;
  std::string_view before = std::string_view(object).substr(0, at);
  // "std::deque::_M_impl", "Queue::items_._M_impl": what stands before is public already.
  if (!isInNamespace(before))
    return withoutSeparator(before);
  std::string_view rest = std::string_view(object).substr(at);
  while (rest.starts_with("__detail::") || rest.starts_with("__cxx11::"))
    rest.remove_prefix(rest.find("::") + 2);
  for (const PublicClass& known : kClasses)
    if (rest.starts_with(known.prefix))
      return std::string(known.name);
  // "__cxx11::basic_string::_M_string_length"
  size_t member = findReserved(rest);
  return member == 0 ? std::string() : "std::" + withoutSeparator(rest.substr(0, member));
}

} // namespace heddle
