#include "static/points_to/points_to.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::analysis {
namespace {

/// Solves a module in text form from main, and answers by names of values.
class Solved {
public:
  explicit Solved(const char* text, unsigned k = 2) {
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, context_);
    if (!module_)
      throw std::runtime_error(problem.getMessage().str());
    constraints_ = std::make_unique<ProgramConstraints>(*module_, models_);
    pointsTo_ = std::make_unique<PointsTo>(*module_, *constraints_, PointsToOptions{k, {}});
    const llvm::Function* main = module_->getFunction("main");
    pointsTo_->solve(std::span(&main, 1));
  }

  /// "name+offset" of all that the value may point to, in all contexts of the function.
  std::set<std::string> pointees(const char* function, const char* value) const {
    std::set<std::string> found;
    for (uint32_t i = 0; i < pointsTo_->instances().size(); ++i) {
      const FunctionConstraints& body = *pointsTo_->instances()[i].body;
      if (body.function->getName() != function)
        continue;
      const llvm::Value* named = body.function->getValueSymbolTable()->lookup(value);
      for (uint32_t location : pointsTo_->pointees(static_cast<InstanceId>(i), named))
        found.insert(nameOf(static_cast<LocationId>(location)));
    }
    return found;
  }

  size_t instances(const char* function) const {
    size_t count = 0;
    for (const Instance& instance : pointsTo_->instances())
      count += instance.body->function->getName() == function;
    return count;
  }

  const PointsTo& operator*() const { return *pointsTo_; }

private:
  std::string nameOf(LocationId id) const {
    const Location& location = pointsTo_->location(id);
    std::string name = pointsTo_->object(location.object).site->getName().str();
    name += "+" + std::to_string(location.offset);
    return location.stride ? name + "*" : name;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Models models_;
  std::unique_ptr<ProgramConstraints> constraints_;
  std::unique_ptr<PointsTo> pointsTo_;
};

using Names = std::set<std::string>;

TEST(PointsTo, KeepsFieldsApart) {
  Solved solved(R"(
    %pair = type { ptr, ptr }
    @a = global i32 0
    @b = global i32 0
    define i32 @main() {
      %pair = alloca %pair
      %second = getelementptr %pair, ptr %pair, i32 0, i32 1
      store ptr @a, ptr %pair
      store ptr @b, ptr %second
      %x = load ptr, ptr %pair
      %y = load ptr, ptr %second
      ret i32 0
    })");
  EXPECT_EQ(solved.pointees("main", "x"), Names{"a+0"});
  EXPECT_EQ(solved.pointees("main", "y"), Names{"b+0"});
}

TEST(PointsTo, ReadsEveryElementByAVariableIndex) {
  Solved solved(R"(
    @a = global i32 0
    @b = global i32 0
    define i32 @main(i32 %n) {
      %row = alloca [4 x ptr]
      %first = getelementptr [4 x ptr], ptr %row, i32 0, i32 1
      %other = getelementptr [4 x ptr], ptr %row, i32 0, i32 2
      %any = getelementptr [4 x ptr], ptr %row, i32 0, i32 %n
      store ptr @a, ptr %first
      store ptr @b, ptr %other
      %x = load ptr, ptr %any
      %y = load ptr, ptr %first
      ret i32 0
    })");
  EXPECT_EQ(solved.pointees("main", "any"), Names{"row+0*"});
  EXPECT_EQ(solved.pointees("main", "x"), (Names{"a+0", "b+0"}));
  EXPECT_EQ(solved.pointees("main", "y"), Names{"a+0"});
}

TEST(PointsTo, TellsCallsOfAFunctionApart) {
  const char* text = R"(
    @a = global i32 0
    @b = global i32 0
    define ptr @same(ptr %p) {
      ret ptr %p
    }
    define i32 @main() {
      %x = call ptr @same(ptr @a)
      %y = call ptr @same(ptr @b)
      ret i32 0
    })";
  Solved apart(text, 1);
  EXPECT_EQ(apart.pointees("main", "x"), Names{"a+0"});
  EXPECT_EQ(apart.pointees("main", "y"), Names{"b+0"});
  Solved together(text, 0);
  EXPECT_EQ(together.pointees("main", "x"), (Names{"a+0", "b+0"}));
}

TEST(PointsTo, FollowsFunctionPointers) {
  Solved solved(R"(
    @a = global i32 0
    @table = global { ptr, ptr } { ptr @one, ptr @two }
    define void @one(ptr %p) {
      ret void
    }
    define void @two(ptr %p) {
      ret void
    }
    define i32 @main() {
      %slot = getelementptr { ptr, ptr }, ptr @table, i32 0, i32 1
      %function = load ptr, ptr %slot
      call void %function(ptr @a)
      ret i32 0
    })");
  EXPECT_EQ(solved.instances("one"), 0u);
  EXPECT_EQ(solved.instances("two"), 1u);
  EXPECT_EQ(solved.pointees("two", "p"), Names{"a+0"});
}

TEST(PointsTo, CopiesWhatMemcpyCopies) {
  Solved solved(R"(
    %pair = type { ptr, ptr }
    @a = global i32 0
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    define i32 @main() {
      %from = alloca %pair
      %to = alloca %pair
      %second = getelementptr %pair, ptr %from, i32 0, i32 1
      store ptr @a, ptr %second
      call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
      %copy = getelementptr %pair, ptr %to, i32 0, i32 1
      %x = load ptr, ptr %copy
      %y = load ptr, ptr %to
      ret i32 0
    })");
  EXPECT_EQ(solved.pointees("main", "x"), Names{"a+0"});
  EXPECT_EQ(solved.pointees("main", "y"), Names{});
}

TEST(PointsTo, StartsThreads) {
  Solved solved(R"(
    @shared = global i32 0
    declare i32 @pthread_create(ptr, ptr, ptr, ptr)
    define ptr @work(ptr %data) {
      ret ptr null
    }
    define i32 @main() {
      %thread = alloca i64
      %r = call i32 @pthread_create(ptr %thread, ptr null, ptr @work, ptr @shared)
      ret i32 0
    })");
  EXPECT_EQ(solved.pointees("work", "data"), Names{"shared+0"});
  ASSERT_EQ((*solved).edges().size(), 1u);
  EXPECT_EQ((*solved).edges()[0].kind, EdgeKind::Fork);
}

TEST(PointsTo, NamesFunctionsThatNothingIsKnownOf) {
  Solved solved(R"(
    declare void @mystery()
    define i32 @main() {
      call void @mystery()
      ret i32 0
    })");
  ASSERT_EQ((*solved).unknown().size(), 1u);
  EXPECT_EQ((*solved).unknown().begin()->first->getName(), "mystery");
}

} // namespace
} // namespace heddle::analysis
