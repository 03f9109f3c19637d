#include "synth/seed_file.h"

#include <bit>
#include <charconv>
#include <map>
#include <string_view>

namespace heddle::synth {

namespace {

using Fields = std::vector<std::string>;

Fields split(const std::string& line) {
  Fields fields;
  size_t begin = 0;
  for (size_t tab; (tab = line.find('\t', begin)) != std::string::npos; begin = tab + 1)
    fields.push_back(line.substr(begin, tab - begin));
  fields.push_back(line.substr(begin));
  return fields;
}

uint64_t numberOf(const std::string& text) {
  uint64_t value = 0;
  if (!text.empty() && text[0] == '-')
    return static_cast<uint64_t>(-static_cast<int64_t>(numberOf(text.substr(1))));
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Address addressOf(const std::string& text) { return static_cast<Address>(numberOf(text)); }

TypeKind typeKind(const std::string& word) {
  static const std::map<std::string, TypeKind> kinds = {{"void", TypeKind::Void},
                                                        {"bool", TypeKind::Bool},
                                                        {"integer", TypeKind::Integer},
                                                        {"float", TypeKind::Float},
                                                        {"enum", TypeKind::Enum},
                                                        {"string", TypeKind::String},
                                                        {"class", TypeKind::Class},
                                                        {"pointer", TypeKind::Pointer},
                                                        {"reference", TypeKind::Reference},
                                                        {"rvalue", TypeKind::RvalueReference},
                                                        {"shared", TypeKind::SharedPointer},
                                                        {"unique", TypeKind::UniquePointer},
                                                        {"container", TypeKind::Container},
                                                        {"lock", TypeKind::Lock}};
  auto found = kinds.find(word);
  return found == kinds.end() ? TypeKind::Unknown : found->second;
}

MethodKind methodKind(const std::string& word) {
  if (word == "constructor")
    return MethodKind::Constructor;
  if (word == "destructor")
    return MethodKind::Destructor;
  return word == "free" ? MethodKind::Free : MethodKind::Member;
}

std::string unhex(const std::string& digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

class Reader {
public:
  /// The number of fields that a line of each kind has at least.
  static size_t leastFields(char kind) {
    switch (kind) {
    case 'T':
      return 7;
    case 'F':
      return 5;
    case 'B':
    case 'E':
    case 'o':
    case 'l':
    case 'n':
      return 4;
    case 'M':
      return 10;
    case 'g':
    case 'm':
    case 'c':
    case 'v':
      return 5;
    case 't':
    case 'R':
    case 'P':
      return 2;
    case 'a':
      return 9;
    case 'f':
    case 'u':
    case 'U':
      return 3;
    case 'X':
    case 'Z':
      return 1;
    default:
      return 0;
    }
  }

  /// Types refer to later ones, so they are known before anything else is read.
  void declare(const Fields& line) {
    if (line[0] != "T" || types_.contains(numberOf(line[1])))
      return;
    Type type;
    type.kind = typeKind(line[2]);
    type.size = numberOf(line[3]);
    type.constTarget = line[5] == "1";
    type.name = line[6];
    types_[numberOf(line[1])] = trace_.types.add(std::move(type));
  }

  void read(const Fields& line) {
    switch (line[0][0]) {
    case 'T':
      trace_.types.at(typeOf(line[1])).target = typeOf(line[4]);
      return;
    case 'F':
    case 'B':
      return readField(line);
    case 'E':
      return readEnumerator(line);
    case 'M':
      return readMethod(line);
    case 'P':
      if (auto method = methods_.find(numberOf(line[1])); method != methods_.end())
        trace_.methods[raw(method->second)].isPublic = false;
      return;
    case 'g':
      trace_.globals.push_back({line[4], addressOf(line[1]), numberOf(line[2]), typeOf(line[3]),
                                line.size() < 6 || line[5] == "1"});
      return;
    case 'U':
      trace_.units.push_back({line[1], line[2] == "1"});
      return;
    case 'X':
      trace_.threadedTests.push_back(test_);
      return;
    case 'Z':
      trace_.isCut = true;
      return;
    default:
      return readEvent(line);
    }
  }

  SeedTrace take() { return std::move(trace_); }

private:
  TypeId typeOf(const std::string& id) const {
    auto found = types_.find(numberOf(id));
    return found == types_.end() ? TypeId::None : found->second;
  }

  void readField(const Fields& line) {
    Type& owner = trace_.types.at(typeOf(line[1]));
    std::vector<Field>& fields = line[0] == "F" ? owner.fields : owner.bases;
    Field field{line.size() > 4 ? line[4] : "", numberOf(line[2]), typeOf(line[3])};
    for (const Field& known : fields) // another unit has told it
      if (known.name == field.name && known.offset == field.offset && known.type == field.type)
        return;
    fields.push_back(std::move(field));
  }

  void readEnumerator(const Fields& line) {
    std::vector<Enumerator>& all = trace_.types.at(typeOf(line[1])).enumerators;
    Enumerator made{line[3], static_cast<int64_t>(numberOf(line[2]))};
    for (const Enumerator& known : all)
      if (known.name == made.name)
        return;
    all.push_back(std::move(made));
  }

  void readMethod(const Fields& line) {
    if (!methods_.emplace(numberOf(line[1]), static_cast<MethodId>(trace_.methods.size())).second)
      return;
    Method method;
    method.kind = methodKind(line[2]);
    method.ownerClass = typeOf(line[3]);
    method.isConst = line[4] == "1";
    method.result = typeOf(line[5]);
    method.name = line[6];
    method.qualifiedName = line[7];
    method.signature = line[8];
    method.header = line[9];
    for (size_t i = 10; i < line.size(); ++i)
      method.parameters.push_back(typeOf(line[i]));
    trace_.methods.push_back(std::move(method));
  }

  void readEvent(const Fields& line) {
    char kind = line[0][0];
    if (kind == 'v')
      return readValue(line);
    if (kind == 'n')
      return readMade(line);
    SeedEvent event;
    switch (kind) {
    case 't':
      event.kind = EventKind::TestBegin;
      event.text = test_ = line[1];
      complete_.clear();
      untyped_.clear();
      break;
    case 'c':
      event.kind = EventKind::Call;
      event.byClient = true;
      event.method = methods_[numberOf(line[1])];
      event.place = {line[2], static_cast<uint32_t>(numberOf(line[3])),
                     static_cast<uint32_t>(numberOf(line[4]))};
      event.values.resize(trace_.methods[raw(event.method)].parameters.size() + 1);
      break;
    case 'R':
      event.kind = EventKind::Return;
      event.threw = line[1] == "1";
      if (result_.kind != ValueKind::None && !event.threw)
        event.values.push_back(result_);
      result_ = {};
      break;
    case 'a':
      readAccess(line, event);
      break;
    default:
      if (!readMemory(line, event))
        return;
    }
    trace_.events.push_back(std::move(event));
  }

  /// Memory and locks; false: it is another kind of line.
  bool readMemory(const Fields& line, SeedEvent& event) {
    char kind = line[0][0];
    switch (kind) {
    case 'm':
      event.kind = EventKind::Allocate;
      event.address = addressOf(line[1]);
      event.size = numberOf(line[2]);
      event.type = typeOf(line[3]);
      event.byClient = line[4] == "1";
      forget(event.address, event.size);
      complete_[event.address] = event.type;
      if (event.type == TypeId::None)
        untyped_[event.address] = event.size;
      break;
    case 'o':
      event.kind = EventKind::Adopt;
      event.address = addressOf(line[1]);
      event.size = numberOf(line[2]);
      event.owner = addressOf(line[3]);
      break;
    case 'l':
      event.kind = EventKind::Lock;
      event.address = addressOf(line[1]);
      event.shared = line[2] == "1";
      event.byClient = line[3] == "1";
      break;
    case 'f':
    case 'u':
      event.kind = kind == 'f' ? EventKind::Free : EventKind::Unlock;
      event.address = addressOf(line[1]);
      event.byClient = line[2] == "1";
      break;
    default:
      return false;
    }
    return true;
  }

  /// New memory: nothing is known of what was there.
  void forget(Address begin, uint64_t size) {
    complete_.erase(complete_.lower_bound(begin), complete_.lower_bound(begin + size));
    untyped_.erase(untyped_.lower_bound(begin), untyped_.lower_bound(begin + size));
  }

  /// A constructor that the library calls: in memory of which no class is known, as that of
  /// make_shared, an object begins. Members and base classes are a part of it.
  void readMade(const Fields& line) {
    auto method = methods_.find(numberOf(line[1]));
    Address address = addressOf(line[2]);
    auto block = untyped_.upper_bound(address);
    if (method == methods_.end() || block == untyped_.begin() ||
        trace_.methods[raw(method->second)].kind != MethodKind::Constructor)
      return;
    --block;
    if (raw(address) >= raw(block->first) + block->second)
      return;
    auto known = complete_.upper_bound(address);
    if (known != complete_.begin()) {
      --known;
      if (raw(address) < raw(known->first) + trace_.types[known->second].size)
        return;
    }
    SeedEvent event;
    event.kind = EventKind::Object;
    event.address = address;
    event.type = trace_.methods[raw(method->second)].ownerClass;
    event.byClient = line[3] == "1";
    complete_[address] = event.type;
    trace_.events.push_back(std::move(event));
  }

  static void readAccess(const Fields& line, SeedEvent& event) {
    uint64_t flags = numberOf(line[1]);
    event.kind = flags & 1 ? EventKind::Write : EventKind::Read;
    event.isAtomic = flags & 2;
    event.isPointer = flags & 4;
    event.address = addressOf(line[2]);
    event.size = numberOf(line[3]);
    event.pointer = addressOf(line[4]);
    event.byClient = line[5] == "1";
    event.place = {line[6], static_cast<uint32_t>(numberOf(line[7])),
                   static_cast<uint32_t>(numberOf(line[8]))};
  }

  void readValue(const Fields& line) {
    constexpr uint64_t resultIndex = 0xffff;
    uint64_t index = numberOf(line[1]);
    if (index == resultIndex) {
      result_ = valueOf(line);
      return;
    }
    if (trace_.events.empty() || trace_.events.back().kind != EventKind::Call)
      return;
    SeedEvent& call = trace_.events.back();
    if (index >= call.values.size())
      return;
    call.values[index] = valueOf(line);
    bool constructs = trace_.methods[raw(call.method)].kind == MethodKind::Constructor;
    if (index == 0 && constructs)
      complete_[call.values[0].object] = call.values[0].type =
          trace_.methods[raw(call.method)].ownerClass;
  }

  Value valueOf(const Fields& line) {
    Value value;
    value.type = typeOf(line[3]);
    uint64_t bits = numberOf(line[4]);
    value.integer = static_cast<int64_t>(bits);
    switch (numberOf(line[2])) {
    case 1:
      value.kind = ValueKind::Bool;
      break;
    case 2:
      value.kind = ValueKind::Integer;
      break;
    case 3:
      value.kind = ValueKind::Float;
      value.number = std::bit_cast<double>(bits);
      break;
    case 4:
      value.kind = ValueKind::Enum;
      break;
    case 5:
    case 6:
      value.kind = ValueKind::String;
      value.text = unhex(line[4]);
      break;
    case 7:
      value.kind = bits ? ValueKind::Object : ValueKind::Null;
      value.object = static_cast<Address>(bits);
      if (auto found = complete_.find(value.object);
          found != complete_.end() && trace_.types.isA(found->second, value.type))
        value.type = found->second;
      break;
    default:
      value.kind = ValueKind::Opaque;
      value.text = "a " + trace_.types[value.type].name;
    }
    return value;
  }

  SeedTrace trace_;
  std::map<uint64_t, TypeId> types_{{0, TypeId::None}};
  std::map<uint64_t, MethodId> methods_;
  std::map<Address, TypeId> complete_;  ///< the class that an object was made as
  std::map<Address, uint64_t> untyped_; ///< memory of which no class is known, with its size
  Value result_;
  std::string test_; ///< that runs
};

} // namespace

Result<SeedTrace> readSeedTrace(std::istream& input) {
  std::vector<Fields> lines;
  size_t number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.empty())
      continue;
    Fields fields = split(line);
    size_t least = fields[0].size() == 1 ? Reader::leastFields(fields[0][0]) : 0;
    if (least == 0 || fields.size() < least)
      return Error{"line " + std::to_string(number) +
                   " of the seed trace is none that is known: record it again"};
    lines.push_back(std::move(fields));
  }
  Reader reader;
  for (const Fields& line : lines)
    reader.declare(line);
  for (const Fields& line : lines)
    reader.read(line);
  return reader.take();
}

} // namespace heddle::synth
