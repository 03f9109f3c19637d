#include "synth/literals.h"

#include <gtest/gtest.h>

#include <limits>

namespace heddle::synth::test {
namespace {

TEST(Literals, TextsAreEscaped) {
  EXPECT_EQ(stringLiteral("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(stringLiteral("\n1"), "\"\\0121\"");
  EXPECT_EQ(stringLiteral("?\?/"), "\"\\?\\?/\"");
  EXPECT_EQ(stringLiteral("\xc3\xa4"), "\"\\303\\244\"");
}

TEST(Literals, ValuesAreExact) {
  TypeTable types;
  Value value;
  value.kind = ValueKind::Integer;
  value.integer = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(literal(types, value), "(-9223372036854775807 - 1)");
  value.type = types.add({TypeKind::Integer, "unsigned long", 8, {}, false, false, {}, {}, {}});
  value.integer = -1;
  EXPECT_EQ(literal(types, value), "18446744073709551615u");
  value.kind = ValueKind::Float;
  value.number = 0.1;
  EXPECT_EQ(literal(types, value), "0.10000000000000001");
  value.number = 3;
  EXPECT_EQ(literal(types, value), "3.0");
  value.kind = ValueKind::String;
  value.text = std::string("a\0b", 3);
  EXPECT_EQ(literal(types, value), "std::string(\"a\\000b\", 3)");
  value.kind = ValueKind::Opaque;
  EXPECT_FALSE(literal(types, value));
}

TEST(Literals, AnEnumeratorHasItsName) {
  TypeTable types;
  Type type;
  type.kind = TypeKind::Enum;
  type.name = "Colour";
  type.enumerators = {{"Colour::Red", 1}};
  Value value;
  value.kind = ValueKind::Enum;
  value.type = types.add(type);
  value.integer = 1;
  EXPECT_EQ(literal(types, value), "Colour::Red");
  value.integer = 9;
  EXPECT_EQ(literal(types, value), "static_cast<Colour>(9)");
}

} // namespace
} // namespace heddle::synth::test
