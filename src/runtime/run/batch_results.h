#pragma once

#include "model/batch.h"

/// The results of a batch's runs, and when a batch ends.
namespace heddle::rt {

void keepResult(BatchHeader& batch, const RunResult& result);

/// Whether no run follows one with this result.
bool endsBatch(const RunResult& result, const Plan& plan);
bool isOutOfTime(const Plan& plan);

/// Keeps the result of a window, which is a run of the batch; false: the batch ends with it.
bool addWindow(const RunResult& result);
/// Ends a pass before it has come to its end, after a window that ends the batch.
[[noreturn]] void leavePass();

} // namespace heddle::rt
