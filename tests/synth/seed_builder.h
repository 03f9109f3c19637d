#pragma once

#include "synth/seed_trace.h"

#include <string>
#include <utility>
#include <vector>

/// Traces of sequential tests as a recording would give them, for tests.
namespace heddle::synth::test {

inline Address at(uint64_t address) { return static_cast<Address>(address); }

class SeedBuilder {
public:
  SeedBuilder() {
    integer = trace.types.add({TypeKind::Integer, "int", 4, {}, false, false, {}, {}, {}});
    mutex = trace.types.add({TypeKind::Lock, "std::mutex", 40, {}, false, false, {}, {}, {}});
  }

  TypeId declareClass(const std::string& name, uint64_t size) {
    return trace.types.add({TypeKind::Class, name, size, {}, false, false, {}, {}, {}});
  }
  TypeId edge(TypeKind kind, TypeId target, bool constTarget = false) {
    std::string name = (constTarget ? "const " : "") + trace.types[target].name;
    switch (kind) {
    case TypeKind::SharedPointer:
      name = "std::shared_ptr<" + name + ">";
      break;
    case TypeKind::UniquePointer:
      name = "std::unique_ptr<" + name + ">";
      break;
    case TypeKind::Reference:
      name += "&";
      break;
    default:
      name += "*";
    }
    uint64_t size = kind == TypeKind::SharedPointer ? 16 : 8;
    return trace.types.add({kind, name, size, target, constTarget, false, {}, {}, {}});
  }
  TypeId pointer(TypeId target) { return edge(TypeKind::Pointer, target); }
  TypeId reference(TypeId target, bool constTarget = false) {
    return edge(TypeKind::Reference, target, constTarget);
  }
  TypeId vectorOf(TypeId element) {
    return trace.types.add({TypeKind::Container,
                            "std::vector<" + trace.types[element].name + ">",
                            24,
                            element,
                            false,
                            false,
                            {},
                            {},
                            {}});
  }
  SeedBuilder& field(TypeId owner, const std::string& name, uint64_t offset, TypeId type) {
    trace.types.at(owner).fields.push_back({name, offset, type});
    return *this;
  }
  SeedBuilder& base(TypeId derived, TypeId base, uint64_t offset = 0) {
    trace.types.at(derived).bases.push_back({"", offset, base});
    return *this;
  }

  MethodId method(TypeId owner, const std::string& name, std::vector<TypeId> parameters,
                  TypeId result = TypeId::None, MethodKind kind = MethodKind::Member,
                  bool isConst = false) {
    Method made;
    made.name = name;
    made.kind = kind;
    made.ownerClass = owner;
    made.isConst = isConst;
    made.qualifiedName = (owner == TypeId::None ? "" : trace.types[owner].name + "::") + name;
    made.signature = made.qualifiedName + "(";
    for (TypeId parameter : parameters)
      made.signature += trace.types[parameter].name + ",";
    made.signature += ")";
    made.parameters = std::move(parameters);
    made.result = result;
    trace.methods.push_back(std::move(made));
    return static_cast<MethodId>(trace.methods.size() - 1);
  }
  MethodId constructor(TypeId owner, std::vector<TypeId> parameters) {
    return method(owner, trace.types[owner].name, std::move(parameters), TypeId::None,
                  MethodKind::Constructor);
  }

  static Value object(uint64_t address, TypeId type) {
    Value value;
    value.kind = ValueKind::Object;
    value.type = type;
    value.object = at(address);
    return value;
  }
  Value number(int64_t integerValue) const {
    Value value;
    value.kind = ValueKind::Integer;
    value.type = integer;
    value.integer = integerValue;
    return value;
  }

  SeedBuilder& test(const std::string& name) {
    SeedEvent& event = add(EventKind::TestBegin, 0);
    event.text = name;
    return *this;
  }
  SeedBuilder& call(MethodId method, std::vector<Value> values) {
    SeedEvent& event = add(EventKind::Call, 0);
    event.byClient = true;
    event.method = method;
    event.values = std::move(values);
    return *this;
  }
  SeedBuilder& ret() {
    add(EventKind::Return, 0);
    return *this;
  }
  SeedBuilder& ret(Value value) {
    add(EventKind::Return, 0).values.push_back(std::move(value));
    return *this;
  }
  SeedBuilder& read(uint64_t address, uint64_t size = 4) {
    add(EventKind::Read, address).size = size;
    return *this;
  }
  SeedBuilder& write(uint64_t address, uint64_t size = 4) {
    add(EventKind::Write, address).size = size;
    return *this;
  }
  SeedBuilder& readPointer(uint64_t address, uint64_t target) {
    return pointerAccess(EventKind::Read, address, target);
  }
  SeedBuilder& writePointer(uint64_t address, uint64_t target) {
    return pointerAccess(EventKind::Write, address, target);
  }
  SeedBuilder& lock(uint64_t address, bool shared = false) {
    add(EventKind::Lock, address).shared = shared;
    return *this;
  }
  SeedBuilder& unlock(uint64_t address) {
    add(EventKind::Unlock, address);
    return *this;
  }
  SeedBuilder& allocate(uint64_t address, TypeId type, uint64_t size = 0) {
    SeedEvent& event = add(EventKind::Allocate, address);
    event.type = type;
    event.size = size;
    return *this;
  }
  SeedBuilder& release(uint64_t address) {
    add(EventKind::Free, address);
    return *this;
  }
  SeedBuilder& adopt(uint64_t block, uint64_t size, uint64_t owner) {
    SeedEvent& event = add(EventKind::Adopt, block);
    event.size = size;
    event.owner = at(owner);
    return *this;
  }
  SeedBuilder& clientObject(uint64_t address, TypeId type) {
    add(EventKind::Object, address).type = type;
    return *this;
  }
  SeedEvent& add(EventKind kind, uint64_t address) {
    SeedEvent event;
    event.kind = kind;
    event.address = at(address);
    trace.events.push_back(std::move(event));
    return trace.events.back();
  }
  SeedEvent& last() { return trace.events.back(); }

  SeedTrace trace;
  TypeId integer;
  TypeId mutex;

private:
  SeedBuilder& pointerAccess(EventKind kind, uint64_t address, uint64_t target) {
    SeedEvent& event = add(kind, address);
    event.isPointer = true;
    event.size = 8;
    event.pointer = at(target);
    return *this;
  }
};

} // namespace heddle::synth::test
