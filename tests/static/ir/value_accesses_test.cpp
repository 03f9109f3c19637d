#include "static/ir/conditions.h"
#include "static/ir/value_accesses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

class Parsed {
public:
  explicit Parsed(const char* text) {
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, context_);
    if (!module_)
      throw std::runtime_error(problem.getMessage().str());
  }

  const llvm::Value* value(const char* function, const char* name) const {
    return module_->getFunction(function)->getValueSymbolTable()->lookup(name);
  }
  const llvm::Instruction& at(const char* function, const char* name) const {
    return *llvm::cast<llvm::Instruction>(value(function, name));
  }
  const llvm::Module& operator*() const { return *module_; }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

// As the members of std::atomic are: the order is an argument.
constexpr const char* kExchange = R"(
  define i1 @exchange(ptr %this, i1 %value, i32 %order) {
    %byte = zext i1 %value to i8
    switch i32 %order, label %relaxed [ i32 2, label %acquire ]
  relaxed:
    %a = atomicrmw xchg ptr %this, i8 %byte monotonic
    br label %end
  acquire:
    %b = atomicrmw xchg ptr %this, i8 %byte acquire
    br label %end
  end:
    %old = phi i8 [ %a, %relaxed ], [ %b, %acquire ]
    %result = trunc i8 %old to i1
    ret i1 %result
  }
  define void @lock(ptr %lock) {
    %field = getelementptr i8, ptr %lock, i64 8
    %strong = call i1 @exchange(ptr %field, i1 true, i32 2)
    %weak = call i1 @exchange(ptr %field, i1 false, i32 0)
    ret void
  }
  define i32 @loop(ptr %this) {
    br label %again
  again:
    %old = atomicrmw xchg ptr %this, i8 1 acquire
    %free = icmp eq i8 %old, 0
    br i1 %free, label %end, label %again
  end:
    ret i32 0
  }
)";

TEST(ValueAccesses, FollowsArgumentsIntoWrappers) {
  Parsed parsed(kExchange);
  Models models;
  ValueAccesses valueAccesses(models, (*parsed).getDataLayout());
  auto strong = valueAccesses.at(parsed.at("lock", "strong"));
  ASSERT_TRUE(strong);
  EXPECT_EQ(strong->kind, ValueAccessKind::Exchange);
  EXPECT_EQ(strong->base, parsed.value("lock", "field"));
  EXPECT_EQ(strong->order, llvm::AtomicOrdering::Acquire);
  EXPECT_TRUE(strong->writesNonZero());
  EXPECT_TRUE(strong->tells);
  auto weak = valueAccesses.at(parsed.at("lock", "weak"));
  ASSERT_TRUE(weak);
  EXPECT_EQ(weak->order, llvm::AtomicOrdering::Monotonic);
  EXPECT_TRUE(weak->writesZero());
}

TEST(ValueAccesses, TakesNoLoopForAWrapper) {
  Parsed parsed(kExchange);
  Models models;
  ValueAccesses valueAccesses(models, (*parsed).getDataLayout());
  EXPECT_TRUE(valueAccesses.isWrapper(*(*parsed).getFunction("exchange")));
  EXPECT_FALSE(valueAccesses.isWrapper(*(*parsed).getFunction("loop")));
}

constexpr const char* kConditions = R"(
  define i1 @f(ptr %p, i1 %other) {
  entry:
    %value = load i32, ptr %p
    %isTwo = icmp eq i32 %value, 2
    %isZero = icmp eq i32 %value, 0
    %notZero = xor i1 %isZero, true
    br i1 %other, label %left, label %right
  left:
    br label %right
  right:
    %both = phi i1 [ false, %entry ], [ %notZero, %left ]
    ret i1 %both
  }
)";

TEST(Conditions, SayOnlyWhatFollows) {
  Parsed parsed(kConditions);
  const llvm::Value* value = parsed.value("f", "value");
  Outcome two = outcomeOf(parsed.value("f", "isTwo"));
  EXPECT_EQ(two.source, value);
  EXPECT_TRUE(two.tells(true));
  EXPECT_TRUE(two.isNonZero(true));
  EXPECT_FALSE(two.tells(false)); // 1 is not 2 either
  Outcome notZero = outcomeOf(parsed.value("f", "notZero"));
  EXPECT_TRUE(notZero.tells(true));
  EXPECT_TRUE(notZero.isNonZero(true));
  EXPECT_TRUE(notZero.tells(false));
  EXPECT_FALSE(notZero.isNonZero(false));
}

TEST(Conditions, AnAndThatIsFalseSaysNothing) {
  Parsed parsed(kConditions);
  Outcome both = outcomeOf(parsed.value("f", "both"));
  EXPECT_EQ(both.source, parsed.value("f", "value"));
  EXPECT_TRUE(both.tells(true));
  EXPECT_FALSE(both.tells(false));
}

} // namespace
} // namespace heddle::analysis
