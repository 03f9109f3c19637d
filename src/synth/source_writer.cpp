#include "synth/source_writer.h"

#include "synth/explanation.h"
#include "synth/literals.h"
#include "synth/outcome_support.h"
#include "synth/test_body.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace heddle::synth {

namespace {

std::string identifier(const std::string& text) {
  std::string name;
  for (char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  return name.empty() ? "call" : name;
}

/// The comment above a test, folded to the width of the rest.
std::string comment(const std::vector<std::string>& sentences) {
  constexpr size_t width = 96;
  std::string text;
  for (const std::string& sentence : sentences) {
    std::string line = "//";
    for (size_t at = 0; at < sentence.size();) {
      size_t end = std::min(sentence.find(' ', at), sentence.size());
      std::string word = sentence.substr(at, end - at);
      if (line.size() + 1 + word.size() > width) {
        text += line + "\n";
        line = "//  ";
      }
      line += " " + word;
      at = end + 1;
    }
    text += line + "\n";
  }
  return text;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line;
  return text;
}

const char* const kStandardIncludes = "#include <cstdio>\n"
                                      "#include <cstdlib>\n"
                                      "#include <cstring>\n"
                                      "#include <exception>\n"
                                      "#include <initializer_list>\n"
                                      "#include <latch>\n"
                                      "#include <limits>\n"
                                      "#include <memory>\n"
                                      "#include <string>\n"
                                      "#include <string_view>\n"
                                      "#include <thread>\n"
                                      "#include <tuple>\n"
                                      "#include <type_traits>\n"
                                      "#include <utility>\n";

/// A read whose result nobody uses is otherwise gone before a sanitizer could see it.
const char* const kKeep =
    "\n// Uses a result, so that the compiler cannot leave out what gives it.\n"
    "template <class T> static void keep(const T& result) {\n"
    "  asm volatile(\"\" : : \"g\"(&result) : \"memory\");\n"
    "}\n";

/// A thread that ends before the other begins may be taken for it by a sanitizer.
const char* const kStart = "  std::latch start(2);\n";
const char* const kWait = "start.arrive_and_wait(); ";

/// Serial orders have the same two threads: what a library keeps for each thread is the same.
const char* const kInTurn = "  std::latch start(2), turn(1);\n"
                            "  std::thread t1([&] {\n"
                            "    start.arrive_and_wait();\n"
                            "    if (swapped)\n      turn.wait();\n"
                            "    one();\n"
                            "    if (!swapped)\n      turn.count_down();\n"
                            "  });\n"
                            "  std::thread t2([&] {\n"
                            "    start.arrive_and_wait();\n"
                            "    if (!swapped)\n      turn.wait();\n"
                            "    other();\n"
                            "    if (swapped)\n      turn.count_down();\n"
                            "  });\n"
                            "  t1.join();\n  t2.join();\n";

/// One test, once its statements are known.
struct Piece {
  const SynthesizedTest* test;
  std::string suite; ///< the class
  std::string name;
  TestBody body;
};

class Writer {
public:
  Writer(const SeedTrace& trace, const Synthesis& synthesis, const SourceOptions& options)
      : trace_(trace), synthesis_(synthesis), options_(options) {
    for (const SynthesizedTest& test : synthesis.tests)
      addPiece(test);
  }

  WrittenTests tests() {
    WrittenTests written;
    std::map<std::string, std::vector<const Piece*>> bySuite;
    for (const Piece& piece : pieces_)
      bySuite[piece.suite].push_back(&piece);
    for (const auto& [suite, pieces] : bySuite) {
      SourceFile file{suite + "_test.cpp", header(), {}, {}};
      bool asserts = std::ranges::any_of(pieces, [&](const Piece* one) { return legalOf(*one); });
      bool keeps = std::ranges::any_of(pieces, [&](const Piece* one) {
        return !legalOf(*one) && (one->body.sideReturns(0) || one->body.sideReturns(1));
      });
      file.text += keeps ? kKeep : "";
      file.text += asserts ? "\n" + (kOutcomeSupport + assertSupport()) : "";
      for (const Piece* piece : pieces) {
        file.text += "\n";
        file.lines.push_back(static_cast<size_t>(std::ranges::count(file.text, '\n')) + 1);
        file.text += testText(*piece);
        file.tests.push_back(piece->name);
        written.names[piece->test->text] = file.name + ":" + piece->name;
      }
      file.text += options_.framework == Framework::Plain ? plainMain(pieces) : "";
      written.files.push_back(std::move(file));
    }
    written.unwritten = unwritten_;
    return written;
  }

  SourceFile serialFile() {
    SourceFile file{"serial.cpp", header(false) + "\n" + kOutcomeSupport, {}, {}};
    std::string& text = file.text;
    for (const Piece& piece : pieces_) {
      file.lines.push_back(static_cast<size_t>(std::ranges::count(text, '\n')) + 1);
      file.tests.push_back(piece.suite + "_test.cpp:" + piece.name);
      text += "\n" + serialText(piece);
    }
    text += "\nint main(int argc, char** argv) {\n"
            "  if (argc != 3)\n    return 1;\n"
            "  bool swapped = std::strcmp(argv[2], \"21\") == 0;\n"
            "  std::string name = argv[1];\n";
    for (const Piece& piece : pieces_)
      text += "  if (name == " + stringLiteral(piece.suite + "_test.cpp:" + piece.name) +
              ")\n    return std::puts(" + serialName(piece) + "(swapped).c_str()) < 0;\n";
    text += "  return 1;\n}\n";
    return file;
  }

private:
  void addPiece(const SynthesizedTest& test) {
    TestBody body(trace_, synthesis_.calls, test.plan);
    if (!body.problem().empty()) {
      unwritten_.push_back({test.text, body.problem()});
      return;
    }
    auto methodOf = [&](size_t side) -> const Method& {
      return trace_.methods[raw(synthesis_.calls[raw(test.plan.sides[side].call)].method)];
    };
    TypeId owner = methodOf(0).ownerClass;
    std::string suite = owner == TypeId::None ? "functions" : identifier(trace_.types[owner].name);
    std::string name = identifier(methodOf(0).name) + "_with_" + identifier(methodOf(1).name);
    std::string unique = name;
    for (int n = 2; !names_.insert(suite + "." + unique).second; ++n)
      unique = name + "_" + std::to_string(n);
    pieces_.push_back({&test, suite, unique, std::move(body)});
  }

  std::string header(bool withFramework = true) const {
    std::string text = "// Written by heddle synth from sequential tests.\n" + options_.prelude;
    for (const std::string& include : options_.includes)
      text += "#include " + include + "\n";
    if (withFramework && options_.framework == Framework::GoogleTest)
      text += "#include <gtest/gtest.h>\n";
    if (withFramework && options_.framework == Framework::Catch2)
      text += "#if __has_include(<catch2/catch_test_macros.hpp>)\n"
              "#include <catch2/catch_test_macros.hpp>\n"
              "#else\n"
              "#include <catch2/catch.hpp>\n"
              "#endif\n";
    return text + kStandardIncludes;
  }

  /// The hook that tells heddle what kind of failure it is; null in an ordinary program.
  static std::string assertSupport() {
    return "\nextern \"C\" __attribute__((weak)) void heddle_not_linearizable(const char*, const "
           "char*);\n\n"
           "// Whether one order of the calls, one after the other, could have given the outcome.\n"
           "static bool isLegal(const std::string& seen, std::initializer_list<const char*> legal) "
           "{\n"
           "  std::string all;\n"
           "  for (const char* one : legal) {\n"
           "    if (seen == one)\n      return true;\n"
           "    all += (all.empty() ? \"`\" : \"; `\") + std::string(one) + \"`\";\n"
           "  }\n"
           "  std::fprintf(stderr, \"outcome that no serial order gives: %s\\nserial orders "
           "give %s\\n\", seen.c_str(), all.c_str());\n"
           "  if (heddle_not_linearizable)\n"
           "    heddle_not_linearizable(seen.c_str(), all.c_str());\n"
           "  return false;\n"
           "}\n";
  }

  const std::vector<Outcome>* legalOf(const Piece& piece) const {
    auto found = options_.legal.find(piece.test->text);
    bool isUsable = found != options_.legal.end() && !found->second.empty();
    return isUsable ? &found->second : nullptr;
  }

  std::string opening(const Piece& piece) const {
    switch (options_.framework) {
    case Framework::Plain:
      return "static void " + piece.name + "() {\n";
    case Framework::GoogleTest:
      return "TEST(" + piece.suite + ", " + piece.name + ") {\n";
    case Framework::Catch2:
      return "TEST_CASE(\"" + piece.suite + ": " + piece.name + "\") {\n";
    }
    return "";
  }

  std::string assertion(const std::string& condition) const {
    switch (options_.framework) {
    case Framework::Plain:
      return "  if (!" + condition + ")\n    std::abort();\n";
    case Framework::GoogleTest:
      return "  EXPECT_TRUE(" + condition + ");\n";
    case Framework::Catch2:
      return "  CHECK(" + condition + ");\n";
    }
    return "";
  }

  static std::string setupText(const Piece& piece) {
    std::string setup = joined(piece.body.setup());
    return joined(piece.body.objects()) +
           (setup.empty() ? "" : "  // Shares what the calls have to share.\n" + setup);
  }

  static std::string joinText(const Piece& piece) {
    std::string text = "  t1.join();\n  t2.join();\n";
    for (const std::string& thread : piece.body.heldThreads())
      text += "  " + thread + ".join();\n";
    return text;
  }

  static std::string outcomeText(const Piece& piece) {
    std::string text = "first + \" | \" + second";
    for (const std::string& observer : piece.body.observers())
      text += " + \" | \" + outcome::of([&] { return " + observer + "; })";
    return text;
  }

  static std::string sideText(const Piece& piece, size_t side) {
    const std::string& call = piece.body.side(side);
    return piece.body.sideReturns(side) ? "keep(" + call + ")" : call;
  }

  std::string testText(const Piece& piece) const {
    std::vector<std::string> sentences = explain(trace_, synthesis_.calls, *piece.test, piece.body);
    if (auto remark = options_.remarks.find(piece.test->text); remark != options_.remarks.end())
      sentences.push_back(remark->second);
    std::string text = comment(sentences) + opening(piece);
    text += setupText(piece);
    const std::vector<Outcome>* legal = legalOf(piece);
    if (!legal)
      return text + kStart + "  std::thread t1([&] { " + kWait + sideText(piece, 0) +
             "; });\n  std::thread t2([&] { " + kWait + sideText(piece, 1) + "; });\n" +
             joinText(piece) + "}\n";
    text += std::string(kStart) + "  std::string first, second;\n";
    for (size_t side = 0; side < 2; ++side)
      text += std::string("  std::thread t") + (side ? "2" : "1") + "([&] { " + kWait +
              (side ? "second" : "first") + " = outcome::of([&] { return " + piece.body.side(side) +
              "; }); });\n";
    text += joinText(piece) + "  std::string seen = " + outcomeText(piece) + ";\n";
    std::string list;
    for (const Outcome& outcome : *legal)
      list += (list.empty() ? "" : ", ") + stringLiteral(outcome.text());
    return text + assertion("isLegal(seen, {" + list + "})") + "}\n";
  }

  static std::string serialName(const Piece& piece) { return piece.suite + "__" + piece.name; }

  std::string serialText(const Piece& piece) const {
    std::string text = "static std::string " + serialName(piece) + "(bool swapped) {\n";
    text += setupText(piece) + "  std::string first, second;\n";
    text +=
        "  auto one = [&] { first = outcome::of([&] { return " + piece.body.side(0) + "; }); };\n";
    text += "  auto other = [&] { second = outcome::of([&] { return " + piece.body.side(1) +
            "; }); };\n";
    text += kInTurn;
    for (const std::string& thread : piece.body.heldThreads())
      text += "  " + thread + ".join();\n";
    return text + "  return " + outcomeText(piece) + ";\n}\n";
  }

  /// Runs the tests that are named, or all.
  static std::string plainMain(const std::vector<const Piece*>& pieces) {
    std::string text = "\nint main(int argc, char** argv) {\n"
                       "  auto wanted = [&](const char* name) {\n"
                       "    for (int i = 1; i < argc; ++i)\n"
                       "      if (std::strcmp(argv[i], name) == 0)\n"
                       "        return true;\n"
                       "    return argc == 1;\n"
                       "  };\n";
    for (const Piece* piece : pieces)
      text += "  if (wanted(\"" + piece->name + "\"))\n    " + piece->name + "();\n";
    return text + "}\n";
  }

  const SeedTrace& trace_;
  const Synthesis& synthesis_;
  const SourceOptions& options_;
  std::vector<Piece> pieces_;
  std::set<std::string> names_;
  std::vector<UnwrittenTest> unwritten_;
};

} // namespace

WrittenTests writeTests(const SeedTrace& trace, const Synthesis& synthesis,
                        const SourceOptions& options) {
  return Writer(trace, synthesis, options).tests();
}

std::string writeSerialProgram(const SeedTrace& trace, const Synthesis& synthesis,
                               const SourceOptions& options) {
  return writeSerialFile(trace, synthesis, options).text;
}

SourceFile writeSerialFile(const SeedTrace& trace, const Synthesis& synthesis,
                           const SourceOptions& options) {
  return Writer(trace, synthesis, options).serialFile();
}

} // namespace heddle::synth
