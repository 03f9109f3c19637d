// The embedded bitcode: found in the program, one record per file, with site numbers.
#include "subject.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <zstd.h>

namespace heddle::test {
namespace {

struct Header {
  char magic[4];
  uint32_t version;
  uint64_t rawLength;
  uint64_t compressedLength;
};

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The modules in the section, as docs/pass.md describes it.
std::vector<std::string> modulesIn(const Workshop& shop, const std::string& program) {
  shop.must("objcopy -O binary --only-section=.heddle_bc " + program + " section.bin");
  std::string bytes = readFile(shop.path("section.bin"));
  std::vector<std::string> modules;
  for (size_t at = 0; at + sizeof(Header) <= bytes.size();) {
    Header header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (std::memcmp(header.magic, "HDBC", 4) != 0) { // padding between records
      at += 8;
      continue;
    }
    EXPECT_EQ(header.version, 3u);
    std::string raw(header.rawLength, '\0');
    size_t length = ZSTD_decompress(raw.data(), raw.size(), bytes.data() + at + sizeof header,
                                    header.compressedLength);
    EXPECT_EQ(length, header.rawLength);
    modules.push_back(raw);
    at += (sizeof header + header.compressedLength + 7) / 8 * 8;
  }
  return modules;
}

/// The bytes of a number as llvm-dis shows them in a string.
template <typename Number> std::string asDisassembled(Number number) {
  std::string text;
  for (size_t i = 0; i < sizeof number; ++i) {
    auto byte = static_cast<unsigned char>(number >> 8 * i);
    bool plain = byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "\\%02X", byte);
    text += plain ? std::string(1, static_cast<char>(byte)) : escaped;
  }
  return text;
}

class Bitcode : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    shop_.write("a.cpp",
                "int shared; void b(); int main() { shared = 1; b(); return shared - 3; }\n");
    shop_.write("b.cpp", "extern int shared; void b() { shared += 2; }\n");
  }
  Workshop shop_;
};

TEST_P(Bitcode, HasAModulePerFile) {
  shop_.must(std::string("$CXX -g -O1 -ffunction-sections -fdata-sections -Wl,--gc-sections "
                         "-fuse-ld=") +
             GetParam() + " a.cpp b.cpp -o program");
  std::vector<std::string> modules = modulesIn(shop_, "program");
  ASSERT_EQ(modules.size(), 2u);
  for (size_t i = 0; i < modules.size(); ++i) {
    std::ofstream(shop_.path("module.bc"), std::ios::binary) << modules[i];
    std::string text = shop_.must("opt-19 -passes=verify module.bc -o - | llvm-dis-19");
    EXPECT_NE(text.find("!heddle.site"), std::string::npos);
    EXPECT_EQ(text.find("__heddle_"), std::string::npos) << "taken before the hooks";
    EXPECT_EQ(text.find(".hd.h"), std::string::npos);
    EXPECT_EQ(text.find("alloca"), std::string::npos) << "locals are promoted";
  }
  EXPECT_EQ(shop_.run("program").status, 0);
}

INSTANTIATE_TEST_SUITE_P(Linkers, Bitcode, testing::Values("bfd", "lld", "mold"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(Bitcode, NumbersAreThoseOfTheTable) {
  shop_.must("$CXX -g -O2 a.cpp b.cpp -o program");
  Outcome outcome = shop_.run("program");
  std::string all;
  for (const std::string& module : modulesIn(shop_, "program")) {
    std::ofstream(shop_.path("module.bc"), std::ios::binary) << module;
    all += shop_.must("llvm-dis-19 module.bc -o -");
  }
  ASSERT_EQ(outcome.log.sites.size(), 6u);
  for (const SiteLine& site : outcome.log.sites) {
    std::string node = "!{!\"" + asDisassembled(std::stoull(site.identity, nullptr, 16)) +
                       asDisassembled(static_cast<uint32_t>(site.number));
    EXPECT_NE(all.find(node), std::string::npos) << node;
  }
  EXPECT_NE(all.find("!\"shared\"}"), std::string::npos) << "what is accessed has its name";
}

} // namespace
} // namespace heddle::test
