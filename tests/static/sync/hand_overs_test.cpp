#include "static/sync/hand_overs.h"
#include "static/sync/spin_locks.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

/// The hand-overs and spin locks of a module in text form.
class Found {
public:
  explicit Found(const std::string& text) {
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, context_);
    if (!module_)
      throw std::runtime_error(problem.getMessage().str());
    constraints_ = std::make_unique<ProgramConstraints>(*module_, models_);
    pointsTo_ = std::make_unique<PointsTo>(*module_, *constraints_, PointsToOptions{2, {}});
    const llvm::Function* main = module_->getFunction("main");
    pointsTo_->solve(std::span(&main, 1));
    graph_ = std::make_unique<CallGraph>(*pointsTo_);
    threads_ = std::make_unique<Threads>(*graph_);
    valueAccesses_ = std::make_unique<ValueAccesses>(models_, module_->getDataLayout());
    handOvers_ = std::make_unique<HandOvers>(*graph_, *threads_, *valueAccesses_);
    spinLocks_ = std::make_unique<SpinLocks>(*graph_, *valueAccesses_);
  }

  size_t places() const {
    size_t count = 0;
    for (uint32_t t = 0; t < threads_->all().size(); ++t)
      count += handOvers_->ofThread(t).size();
    return count;
  }

  bool hasSpinLock() const {
    for (uint32_t i = 0; i < pointsTo_->instances().size(); ++i)
      if (spinLocks_->concerns(static_cast<InstanceId>(i)))
        return true;
    return false;
  }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Models models_;
  std::unique_ptr<ProgramConstraints> constraints_;
  std::unique_ptr<PointsTo> pointsTo_;
  std::unique_ptr<CallGraph> graph_;
  std::unique_ptr<Threads> threads_;
  std::unique_ptr<ValueAccesses> valueAccesses_;
  std::unique_ptr<HandOvers> handOvers_;
  std::unique_ptr<SpinLocks> spinLocks_;
};

/// A thread that does something to @flag, and main, which waits for it and does something else.
std::string program(const char* thread, const char* main, const char* start = "0") {
  return std::string("declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n@flag = global i32 ") +
         start + R"(
    define ptr @run(ptr %argument) {
      )" +
         thread +
         R"(
      ret ptr null
    }
    define i32 @main() {
      %handle = alloca i64
      %made = call i32 @pthread_create(ptr %handle, ptr null, ptr @run, ptr null)
      br label %again
    again:
      %seen = load atomic i32, ptr @flag acquire, align 4
      %unset = icmp eq i32 %seen, 0
      br i1 %unset, label %again, label %end
    end:
      )" +
         main +
         R"(
      ret i32 0
    }
  )";
}

constexpr const char* kRelease = "store atomic i32 1, ptr @flag release, align 4";

TEST(HandOvers, AFlagOfOneThreadIsOne) { EXPECT_EQ(Found(program(kRelease, "")).places(), 1u); }

TEST(HandOvers, ARelaxedSettingIsNone) {
  EXPECT_EQ(Found(program("store atomic i32 1, ptr @flag monotonic, align 4", "")).places(), 0u);
}

TEST(HandOvers, AFlagOfTwoThreadsIsNone) {
  EXPECT_EQ(Found(program(kRelease, kRelease)).places(), 0u);
}

TEST(HandOvers, AFlagThatIsSetAtTheStartIsNone) {
  EXPECT_EQ(Found(program(kRelease, "", "1")).places(), 0u);
}

TEST(HandOvers, ToTakeItBackChangesNothing) {
  EXPECT_EQ(Found(program(kRelease, "store atomic i32 0, ptr @flag release, align 4")).places(),
            1u);
}

constexpr const char* kTake = "%old = atomicrmw xchg ptr @flag, i32 1 acquire, align 4\n"
                              "%free = icmp eq i32 %old, 0";

TEST(SpinLocks, AreTakenAndGivenBack) {
  EXPECT_TRUE(
      Found(program(kTake, "store atomic i32 0, ptr @flag release, align 4")).hasSpinLock());
}

TEST(SpinLocks, AreWrittenByNobodyElse) {
  EXPECT_FALSE(
      Found(program(kTake, "store atomic i32 7, ptr @flag release, align 4")).hasSpinLock());
  EXPECT_FALSE(
      Found(program(kTake, "store atomic i32 0, ptr @flag monotonic, align 4")).hasSpinLock());
}

} // namespace
} // namespace heddle::analysis
