#include "static/points_to/constraint_index.h"

#include "static/ir/addresses.h"
#include "static/points_to/receivers.h"

#include <numeric>

using namespace llvm;

namespace heddle::analysis {
namespace {

class Indexer {
public:
  Indexer(FunctionConstraints& body, VariableCopies copies)
      : body_(body), copies_(std::move(copies)) {}

  void index() {
    std::vector<std::pair<Operand, uint32_t>> watched;
    for (uint32_t i = 0; i < body_.ops.size(); ++i)
      indexOp(i, watched);
    makeRows(watched, body_.firstWatched, body_.watched);
    std::sort(copies_.begin(), copies_.end());
    copies_.erase(std::unique(copies_.begin(), copies_.end()), copies_.end());
    makeRows(copies_, body_.firstCopy, body_.copies);
  }

private:
  void indexOp(uint32_t i, std::vector<std::pair<Operand, uint32_t>>& watched) {
    const Op& op = body_.ops[i];
    bool variable = false;
    auto watch = [&](Operand operand) {
      if (operand == kNoOperand || !isVariable(operand))
        return;
      watched.push_back({operand, i});
      variable = true;
    };
    switch (op.kind) {
    case OpKind::Local:
    case OpKind::Iteration:
      break;
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::NextIteration:
      watch(op.pointer);
      break;
    case OpKind::Move: {
      watch(op.pointer);
      bool watched_ = variable;
      if (op.by != op.pointer)
        watch(op.by);
      variable = watched_;
      break;
    }
    case OpKind::CopyMemory:
      watch(op.pointer);
      if (op.other != op.pointer)
        watch(op.other);
      break;
    case OpKind::Call:
      watchCall(body_.calls[op.index], watch);
      variable = false; // a call has a part that is done once
      break;
    }
    if (!variable)
      body_.unconditional.push_back(i);
  }

  /// What decides where a call goes: the receiver, the function pointer, or what a model looks at.
  template <typename Watch> void watchCall(const CallOp& call, Watch watch) {
    auto argument = [&](int index) {
      if (index >= 0 && static_cast<size_t>(index) < call.arguments.size())
        watch(call.arguments[index]);
    };
    if (call.model) {
      argument(call.model->a);
      if (call.model->b != call.model->a)
        argument(call.model->b);
      if (call.model->effect == Effect::Link)
        argument(call.model->c);
      return;
    }
    if (call.callee) {
      uint32_t receiver = 0;
      if (hasBody(*call.callee) && findReceiver(*call.callee, receiver))
        argument(receiver);
      return;
    }
    if (call.slot >= 0)
      argument(call.receiver);
    else
      watch(call.pointer);
  }

  void makeRows(std::vector<std::pair<Operand, uint32_t>>& entries, std::vector<uint32_t>& first,
                std::vector<uint32_t>& all) const {
    std::sort(entries.begin(), entries.end());
    first.assign(body_.variables + 1, 0);
    for (auto& [variable, entry] : entries)
      ++first[variable + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    all.reserve(entries.size());
    for (auto& [variable, entry] : entries)
      all.push_back(entry);
  }

  FunctionConstraints& body_;
  VariableCopies copies_;
};

} // namespace

void indexConstraints(FunctionConstraints& body, VariableCopies copies) {
  Indexer(body, std::move(copies)).index();
}

} // namespace heddle::analysis
