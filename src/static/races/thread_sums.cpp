#include "static/races/thread_sums.h"

#include "static/ir/addresses.h"
#include "static/program/openmp.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kDeepest = 40;
constexpr size_t kLongest = 12;        // products in a sum
constexpr unsigned kLowerOfStatic = 4; // arguments that have the first iteration's address
constexpr unsigned kLowerOfDynamic = 3;
constexpr unsigned kLowerOfTasks = 5; // parameter of a taskloop's function

void add(Sum& sum, const Sum& other, int64_t times = 1) {
  for (const auto& [product, factor] : other)
    if (int64_t& now = sum[product]; (now += factor * times) == 0)
      sum.erase(product);
}

Sum multiplied(const Sum& one, const Sum& other) {
  Sum result;
  for (const auto& [product, factor] : one)
    for (const auto& [otherProduct, otherFactor] : other) {
      std::vector<Symbol> both = product;
      both.insert(both.end(), otherProduct.begin(), otherProduct.end());
      std::sort(both.begin(), both.end());
      add(result, {{both, factor * otherFactor}});
    }
  return result;
}

Sum constant(int64_t value) { return value ? Sum{{{}, value}} : Sum{}; }

/// Whether the variable is set to the thread's first iteration by a call that a thread does not
/// come to again before the others have ended the loop.
bool isLowerBound(const Value& variable) {
  return any_of(variable.users(), [&](const User* user) {
    auto* call = dyn_cast<CallInst>(user);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      return false;
    StringRef name = callee->getName();
    if (name.starts_with("__kmpc_for_static_init_"))
      return call->getArgOperand(kLowerOfStatic) == &variable && !comesAgain(*call);
    if (!name.starts_with("__kmpc_dispatch_next_") ||
        call->getArgOperand(kLowerOfDynamic) != &variable)
      return false;
    return none_of(instructions(*call->getFunction()), [](const Instruction& each) {
      auto* init = dyn_cast<CallInst>(&each);
      return init && init->getCalledFunction() &&
             init->getCalledFunction()->getName().starts_with("__kmpc_dispatch_init_") &&
             comesAgain(*init);
    });
  });
}

bool countsUp(const PHINode& phi) {
  return any_of(phi.incoming_values(), [&](const Value* value) {
    auto* next = dyn_cast<BinaryOperator>(value);
    auto* step = next ? dyn_cast<ConstantInt>(next->getOperand(1)) : nullptr;
    return next && next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi && step &&
           step->isOne();
  });
}

} // namespace

bool isSharedIteration(const PHINode& phi) {
  return countsUp(phi) && any_of(phi.incoming_values(), [&](const Value* value) {
           while (auto* cast = dyn_cast<CastInst>(value))
             value = cast->getOperand(0);
           if (auto* load = dyn_cast<LoadInst>(value))
             return isLowerBound(*load->getPointerOperand());
           auto* parameter = dyn_cast<Argument>(value);
           return parameter && parameter->getArgNo() == kLowerOfTasks &&
                  parameter->getParent()->arg_size() > 10 &&
                  parameter->getParent()->getName().contains("omp_outlined");
         });
}

Symbol ThreadSums::symbol(uint64_t tag, const void* what, const Sum& sum, Info info) {
  Key key{tag, what, {sum.begin(), sum.end()}};
  auto [found, isNew] = known_.try_emplace(key, static_cast<Symbol>(symbols_.size()));
  if (isNew)
    symbols_.push_back(info);
  return found->second;
}

bool ThreadSums::isCommon(const Sum& sum) const {
  return all_of(sum, [&](const auto& part) {
    return all_of(part.first, [&](Symbol each) { return symbols_[each].kind == Kind::Common; });
  });
}

/// Whether all of it is known well enough for a comparison.
bool ThreadSums::isKnown(const Sum& sum) const {
  return all_of(sum, [&](const auto& part) {
    return all_of(part.first, [&](Symbol each) {
      return symbols_[each].kind != Kind::Any || symbols_[each].bounded;
    });
  });
}

/// Whether something in it follows from what each thread has for itself.
bool ThreadSums::isDerived(const Sum& sum) const {
  return any_of(sum, [&](const auto& part) {
    return any_of(part.first, [&](Symbol each) {
      return symbols_[each].kind == Kind::Own || symbols_[each].derived;
    });
  });
}

Sum ThreadSums::of(const Value* value, const CalledFrom* from) { return compute(value, from, 0); }

Sum ThreadSums::compute(const Value* value, const CalledFrom* from, unsigned depth) {
  if (depth > kDeepest)
    return any(value);
  Sum sum;
  if (auto* number = dyn_cast<ConstantInt>(value))
    return number->getBitWidth() <= 64 ? constant(number->getSExtValue()) : any(value);
  if (isa<ConstantPointerNull>(value))
    return {};
  if (auto* gep = dyn_cast<GEPOperator>(value))
    sum = ofElement(*gep, from, depth + 1);
  else if (isa<GlobalValue>(value))
    return {{{symbol(2, value, {}, {Kind::Common})}, 1}};
  else if (auto* argument = dyn_cast<Argument>(value))
    sum = from && argument->getArgNo() < from->call->arg_size()
              ? compute(from->call->getArgOperand(argument->getArgNo()), from->caller, depth + 1)
              : Sum{{{symbol(2, value, {}, {Kind::Common})}, 1}};
  else if (auto* cast = dyn_cast<CastInst>(value))
    sum = cast->getType()->isFloatingPointTy() ? any(value)
                                               : compute(cast->getOperand(0), from, depth + 1);
  else if (auto* operation = dyn_cast<BinaryOperator>(value))
    sum = ofOperation(*operation, from, depth + 1);
  else if (auto* load = dyn_cast<LoadInst>(value))
    sum = ofLoad(*load, from, depth + 1);
  else if (auto* phi = dyn_cast<PHINode>(value))
    sum = ofPhi(*phi, from, depth + 1);
  else if (auto* call = dyn_cast<CallBase>(value))
    sum = ofCall(*call, from, depth + 1);
  else
    return any(value);
  return sum.size() > kLongest ? any(value) : sum;
}

Sum ThreadSums::ofOperation(const BinaryOperator& operation, const CalledFrom* from,
                            unsigned depth) {
  Sum left = compute(operation.getOperand(0), from, depth);
  Sum right = compute(operation.getOperand(1), from, depth);
  switch (operation.getOpcode()) {
  case Instruction::Add:
    add(left, right);
    return left;
  case Instruction::Sub:
    add(left, right, -1);
    return left;
  case Instruction::Mul:
    return multiplied(left, right);
  case Instruction::SDiv:
  case Instruction::UDiv:
    if (right == constant(1))
      return left;
    [[fallthrough]];
  default: {
    // The same number wherever it is computed of the same ones.
    bool common = isCommon(left) && isCommon(right);
    Symbol first = symbol(3, nullptr, left, {Kind::Any});
    Sum key = right;
    add(key, {{{first, first}, 1}});
    Info info{common ? Kind::Common : Kind::Any};
    info.derived = isDerived(left) || isDerived(right);
    return {{{symbol(100 + operation.getOpcode(), nullptr, key, info)}, 1}};
  }
  }
}

Sum ThreadSums::ofElement(const GEPOperator& gep, const CalledFrom* from, unsigned depth) {
  Sum sum = compute(gep.getPointerOperand(), from, depth);
  Type* type = nullptr;
  for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it) {
    if (StructType* structure = it.getStructTypeOrNull()) {
      unsigned field = cast<ConstantInt>(it.getOperand())->getZExtValue();
      add(sum, constant(layout_.getStructLayout(structure)->getElementOffset(field)));
    } else {
      auto bytes = static_cast<int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
      Sum index = compute(it.getOperand(), from, depth);
      // An index of an array stays in the array.
      if (auto* array = dyn_cast_or_null<ArrayType>(type);
          array && !isKnown(index) && !isDerived(index) && array->getNumElements()) {
        Info info{Kind::Any, true, 0, static_cast<int64_t>(array->getNumElements()) - 1};
        index = {{{symbol(4, it.getOperand(), index, info)}, 1}};
      }
      add(sum, index, bytes);
    }
    type = it.getIndexedType();
  }
  return sum;
}

/// What is stored in a variable, if that is done once and nobody else knows its address.
const Value* ThreadSums::onlyValue(const AllocaInst& local) {
  const Value* value = nullptr;
  for (const User* user : local.users()) {
    if (isa<LoadInst>(user) || isa<LifetimeIntrinsic>(user))
      continue;
    auto* store = dyn_cast<StoreInst>(user);
    if (!store || store->getValueOperand() == &local || value)
      return nullptr;
    value = store->getValueOperand();
  }
  return value;
}

Sum ThreadSums::ofLoad(const LoadInst& load, const CalledFrom* from, unsigned depth) {
  if (auto* local = dyn_cast<AllocaInst>(load.getPointerOperand())) {
    const Value* value = onlyValue(*local);
    return value ? compute(value, from, depth) : any(&load);
  }
  Sum address = compute(load.getPointerOperand(), from, depth);
  if (!isCommon(address))
    return any(&load);
  return {{{symbol(5, nullptr, address, {Kind::Common})}, 1}};
}

Sum ThreadSums::ofCall(const CallBase& call, const CalledFrom* from, unsigned depth) {
  const Function* callee = call.getCalledFunction();
  if (callee && callee->getName() == "omp_get_thread_num")
    return {{{symbol(6, nullptr, {}, {Kind::Own})}, 1}};
  if (!callee || !hasBody(*callee) || callee->size() != 1 || callee->arg_size() > call.arg_size())
    return any(&call);
  auto* end = dyn_cast<ReturnInst>(callee->back().getTerminator());
  if (!end || !end->getReturnValue())
    return any(&call);
  CalledFrom inside{&call, from};
  return compute(end->getReturnValue(), &inside, depth);
}

Sum ThreadSums::ofPhi(const PHINode& phi, const CalledFrom* from, unsigned depth) {
  if (isSharedIteration(phi))
    return {{{symbol(7, &phi, {}, {Kind::Own})}, 1}};
  if (auto info = boundsOf(phi, from, depth))
    return {{{symbol(8, &phi, {}, *info)}, 1}};
  return any(&phi);
}

/// `for (j = constant; j < n; ++j)`.
std::optional<ThreadSums::Info> ThreadSums::boundsOf(const PHINode& phi, const CalledFrom* from,
                                                     unsigned depth) {
  auto* branch = dyn_cast<BranchInst>(phi.getParent()->getTerminator());
  auto* compare =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !countsUp(phi) || phi.getNumIncomingValues() != 2)
    return std::nullopt;
  const Value* counted = compare->getOperand(0);
  while (auto* cast = dyn_cast<CastInst>(counted))
    counted = cast->getOperand(0);
  const ConstantInt* start = nullptr;
  for (const Value* value : phi.incoming_values())
    if (auto* number = dyn_cast<ConstantInt>(value))
      start = number;
  bool below = compare->getPredicate() == ICmpInst::ICMP_SLT ||
               compare->getPredicate() == ICmpInst::ICMP_ULT;
  bool upTo = compare->getPredicate() == ICmpInst::ICMP_SLE ||
              compare->getPredicate() == ICmpInst::ICMP_ULE;
  if (counted != &phi || !start || start->isNegative() || !(below || upTo))
    return std::nullopt;
  Info info{Kind::Any, true, start->getSExtValue(), 0};
  if (auto* end = dyn_cast<ConstantInt>(compare->getOperand(1))) {
    info.max = end->getSExtValue() - (below ? 1 : 0);
    return info;
  }
  Sum end = compute(compare->getOperand(1), from, depth);
  if (!below || end.size() != 1 || end.begin()->second != 1 || end.begin()->first.size() != 1 ||
      !isCommon(end))
    return std::nullopt;
  info.limit = end.begin()->first[0];
  return info;
}

/// Where the bytes of an access lie, without what both sides have in common and without the step.
std::optional<ThreadSums::Window> ThreadSums::windowOf(const Sum& sum,
                                                       const std::vector<Symbol>& step,
                                                       int64_t factor, uint64_t size) const {
  Window window{0, static_cast<int64_t>(size), false};
  for (const auto& [product, times] : sum) {
    if (product == step || (!product.empty() && isCommon({{product, times}})))
      continue;
    if (product.empty()) {
      window.begin += times;
      window.end += times;
      continue;
    }
    const Info& info = symbols_[product[0]];
    if (product.size() != 1 || info.kind != Kind::Any || !info.bounded)
      return std::nullopt;
    if (info.limit) {
      // Rows of n elements: j < n, and the step is n elements.
      if (step.size() != 2 || !is_contained(step, *info.limit) || times != factor)
        return std::nullopt;
      window.symbolic = true;
      continue;
    }
    window.begin += times * (times > 0 ? info.min : info.max);
    window.end += times * (times > 0 ? info.max : info.min);
  }
  return window;
}

bool ThreadSums::areApart(const Sum& one, uint64_t size, const Sum& other,
                          uint64_t otherSize) const {
  // The part by which threads differ must be the same on both sides, and there must be one only.
  std::optional<std::pair<std::vector<Symbol>, int64_t>> step;
  for (const Sum* sum : {&one, &other}) {
    unsigned own = 0;
    for (const auto& [product, factor] : *sum) {
      auto owned = count_if(product, [&](Symbol each) { return symbols_[each].kind == Kind::Own; });
      if (owned) {
        if (owned > 1 || product.size() > 2 || (step && *step != std::pair{product, factor}))
          return false;
        step = {product, factor};
        ++own;
        continue;
      }
      if (product.empty() || !isCommon({{product, factor}}))
        continue;
      auto same = (sum == &one ? other : one).find(product);
      if (same == (sum == &one ? other : one).end() || same->second != factor)
        return false;
    }
    if (own != 1)
      return false;
  }
  auto first = windowOf(one, step->first, step->second, size);
  auto second = windowOf(other, step->first, step->second, otherSize);
  if (!first || !second)
    return false;
  int64_t width = std::max(first->end, second->end) - std::min(first->begin, second->begin);
  int64_t apart = std::abs(step->second);
  return width <= apart && (step->first.size() == 1 || std::min(first->begin, second->begin) >= 0);
}

} // namespace heddle::analysis
