#pragma once

#include "fake_session.h"

#include "cli/exit_code.h"
#include "pipeline/commands/check.h"
#include "store/store.h"

#include <filesystem>

namespace heddle {

/// A store in a folder that goes away with the test.
class StoreTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = "/tmp/heddle-store-" + std::to_string(getpid());
    std::filesystem::remove_all(folder_);
    auto store = Store::open(folder_);
    ASSERT_TRUE(store) << store.error().message;
    store_.emplace(std::move(*store));
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  static Options quickOptions(uint64_t runs) {
    Options options;
    options.runs = runs;
    options.hang_seconds = 0.3;
    return options;
  }

  CommandResult checkFake(std::vector<std::string> settings, const Options& options) {
    CommandContext context(fakeProgram(std::move(settings)), options, &*store_);
    auto result = check(context);
    if (!result) {
      ADD_FAILURE() << result.error().message;
      return {};
    }
    return std::move(*result);
  }

  std::string folder_;
  std::optional<Store> store_;
};

} // namespace heddle
