#pragma once

#include "synth/types.h"

#include <cstdint>
#include <string>
#include <vector>

/// What a sequential test did, as the analysis needs it: the calls of the client into the library
/// with typed values, and what the library did on concrete addresses. docs/synthesis.md says who
/// tells what.
namespace heddle::synth {

enum class Address : uint64_t { Null = 0 };
constexpr uint64_t raw(Address address) { return static_cast<uint64_t>(address); }
constexpr Address operator+(Address base, uint64_t offset) {
  return static_cast<Address>(raw(base) + offset);
}

enum class MethodId : uint32_t { None = 0xffffffff };
enum class CallId : uint32_t { None = 0xffffffff };
constexpr uint32_t raw(MethodId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t raw(CallId id) { return static_cast<uint32_t>(id); }

/// Index of an event in the trace: the label of the paper.
enum class Label : uint32_t { None = 0xffffffff };
constexpr uint32_t raw(Label label) { return static_cast<uint32_t>(label); }

enum class MethodKind : uint8_t { Member, Free, Constructor, Destructor };

/// A function of the library that clients call.
struct Method {
  std::string name;          ///< "foo"; of constructors the class's
  std::string qualifiedName; ///< "lib::A::foo"
  MethodKind kind = MethodKind::Member;
  TypeId ownerClass = TypeId::None; ///< of members, constructors, destructors, static members
  bool isConst = false;
  std::vector<TypeId> parameters; ///< as declared, without the receiver
  TypeId result = TypeId::None;   ///< as declared; None: void
  std::string signature;          ///< tells overloads apart: "lib::A::foo(Y&)"
  std::string header;             ///< the file that declares it
  bool isPublic = true;           ///< whether a client may call it
};

enum class ValueKind : uint8_t {
  None,
  Bool,
  Integer,
  Float,
  Enum,
  String,
  Null,   ///< a null pointer
  Object, ///< an object: by pointer, reference or value, as the parameter's type says
  Opaque, ///< nothing that could be written down: a callback, a value of an unknown class
};

/// A receiver, an argument or a result.
struct Value {
  ValueKind kind = ValueKind::None;
  TypeId type = TypeId::None; ///< of objects the complete class, else as declared
  int64_t integer = 0;
  double number = 0;
  std::string text;               ///< of strings the bytes, of opaque ones why
  Address object = Address::Null; ///< of objects
};

enum class EventKind : uint8_t {
  TestBegin, ///< a sequential test begins; what was before is gone
  Call,      ///< client code calls `method` with `values`: [0] the receiver, where there is one
  Return,    ///< back in the client; values[0] is the result; `threw`
  Read,      ///< `address`, `size`, `pointer` where a pointer was read
  Write,
  Allocate, ///< `address`, `size`, `type`
  Free,
  Adopt, ///< the block at `address`, `size` belongs by value to the container at `owner`
  Lock,  ///< `address`; `shared`
  Unlock,
  Object, ///< an object of the client's own begins: `address`, `type`
};

struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Place&) const = default;
};

struct SeedEvent {
  EventKind kind = EventKind::Read;
  bool byClient = false; ///< the client's own code did it, maybe in a callback
  bool isAtomic = false;
  bool shared = false; ///< Lock: for reading, with others
  bool threw = false;
  bool isPointer = false; ///< Read, Write: the value is `pointer`
  MethodId method = MethodId::None;
  Address address = Address::Null;
  uint64_t size = 0;
  Address pointer = Address::Null;
  Address owner = Address::Null;
  TypeId type = TypeId::None; ///< Allocate, Object: the class; Read, Write: what `pointer` leads to
  std::vector<Value> values;
  std::string text; ///< TestBegin: its name
  Place place;
};

/// A variable that is there once, whoever calls.
struct GlobalObject {
  std::string name; ///< "Registry::instance_"
  Address address = Address::Null;
  uint64_t size = 0;
  TypeId type = TypeId::None;
  bool isNameable = true; ///< a client can write its name: not private, not inside a function
};

/// A source file that was compiled for the sequential tests.
struct SeedUnit {
  std::string path;
  bool hasTest = false; ///< main, or a test of a framework, is in it
};

struct SeedTrace {
  TypeTable types;
  std::vector<Method> methods; ///< all that the library offers, called or not
  std::vector<GlobalObject> globals;
  std::vector<SeedEvent> events;
  std::vector<SeedUnit> units;
  std::vector<std::string> threadedTests; ///< that started threads: told of the first one alone
  bool isCut = false;                     ///< it became too long, and ends early
};

} // namespace heddle::synth
