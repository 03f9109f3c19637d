#include "runtime/failure/exception_text.h"

#include "runtime/base/message.h"

#include <stdint.h>
#include <string.h>

// Weak: a C program has no C++ library. The layouts below are those of the Itanium C++ ABI as
// libstdc++ implements it.
extern "C" {
__attribute__((weak)) void* __cxa_current_exception_type();
/// std::current_exception(); an exception_ptr is one pointer, returned through memory.
__attribute__((weak)) void* heddleCurrentException(void** result) asm("_ZSt17current_exceptionv");
__attribute__((weak)) char* __cxa_demangle(const char* name, char* buffer, size_t* length,
                                           int* status);
extern __attribute__((weak)) const char heddleTypeOfStdException asm("_ZTISt9exception");
}

namespace heddle::rt {

namespace {

struct TypeInfo {
  void* const* virtuals;
  const char* name;
};
/// Slots in the table of std::type_info: destructors, __is_pointer_p, __is_function_p, __do_catch.
constexpr uint32_t kDoCatchSlot = 4;
/// Slots in the table of std::exception: destructors, what.
constexpr uint32_t kWhatSlot = 2;

/// Whether a handler for `caught` takes an exception of type `thrown`; adjusts the object to it.
bool catches(const TypeInfo* caught, const TypeInfo* thrown, void** object) {
  using DoCatch = bool (*)(const void*, const void*, void**, unsigned);
  auto doCatch = reinterpret_cast<DoCatch>(caught->virtuals[kDoCatchSlot]);
  return doCatch(caught, thrown, object, 1);
}

const char* whatOf(void* exception) {
  using What = const char* (*)(const void*);
  auto what = reinterpret_cast<What>((*static_cast<void***>(exception))[kWhatSlot]);
  return what(exception);
}

const TypeInfo* currentType() {
  if (!__cxa_current_exception_type)
    return nullptr;
  return static_cast<const TypeInfo*>(__cxa_current_exception_type());
}

/// A leading '*' means that the type is compared by address; it is no part of the name.
const char* nameOf(const TypeInfo* type) { return type->name + (*type->name == '*'); }

const char* plainValueText(const char* name, void* object) {
  if (strcmp(name, "PKc") == 0 || strcmp(name, "Pc") == 0)
    return *static_cast<const char**>(object);
  if (strcmp(name, "i") == 0)
    return formatMessage("%d", *static_cast<int*>(object));
  if (strcmp(name, "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE") == 0)
    return *static_cast<const char**>(object); // its first member points to the characters
  return "";
}

} // namespace

const char* currentExceptionType() {
  const TypeInfo* type = currentType();
  if (!type)
    return nullptr;
  // The program ends with this name: nobody frees it.
  int status = 0;
  const char* name =
      __cxa_demangle ? __cxa_demangle(nameOf(type), nullptr, nullptr, &status) : nullptr;
  return name ? name : formatMessage("_ZTI%s", nameOf(type));
}

const char* currentExceptionText() {
  const TypeInfo* type = currentType();
  void* object = nullptr;
  if (!type || !heddleCurrentException)
    return "";
  heddleCurrentException(&object);
  if (!object)
    return "";
  const auto* base = reinterpret_cast<const TypeInfo*>(&heddleTypeOfStdException);
  void* adjusted = object;
  if (base && catches(base, type, &adjusted)) {
    const char* text = whatOf(adjusted);
    return text ? text : "";
  }
  const char* text = plainValueText(nameOf(type), object);
  return text ? text : "";
}

} // namespace heddle::rt
