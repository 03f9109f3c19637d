#pragma once

#include "seed_builder.h"
#include "synth/synthesis.h"

#include <algorithm>

namespace heddle::synth::test {

/// programs/account.h: values of every kind, a shared_ptr, and a check and an act in two calls.
/// class Account { mutable std::mutex m_; std::string owner_; Currency; double; bool; int balance_;
/// std::shared_ptr<Log> log_; }
struct Account : SeedBuilder {
  Account() {
    boolean = trace.types.add({TypeKind::Bool, "bool", 1, {}, false, false, {}, {}, {}});
    number8 = trace.types.add({TypeKind::Float, "double", 8, {}, false, false, {}, {}, {}});
    text = trace.types.add({TypeKind::String, "std::string", 32, {}, false, false, {}, {}, {}});
    currency = trace.types.add({TypeKind::Enum, "bank::Currency", 4, {}, false, false, {}, {}, {}});
    trace.types.at(currency).enumerators = {{"bank::Currency::Euro", 0},
                                            {"bank::Currency::Dollar", 1}};
    log = declareClass("bank::Log", 4);
    account = declareClass("bank::Account", 112);
    TypeId sharedLog = edge(TypeKind::SharedPointer, log);
    field(log, "lines_", 0, integer);
    field(account, "m_", 0, mutex).field(account, "owner_", 40, text);
    field(account, "currency_", 72, currency).field(account, "rate_", 80, number8);
    field(account, "open_", 88, boolean).field(account, "balance_", 92, integer);
    field(account, "log_", 96, sharedLog);
    makeLog = constructor(log, {});
    makeAccount = constructor(account, {reference(text, true), currency, number8, boolean});
    trace.methods[raw(makeLog)].name = "Log";
    attach = method(account, "attach", {sharedLog});
    deposit = method(account, "deposit", {integer}, integer);
    withdraw = method(account, "withdraw", {integer}, boolean);
    balance = method(account, "balance", {}, integer, MethodKind::Member, true);
  }

  /// auto log = std::make_shared<Log>(); Account a("Ada \"L\"", Dollar, 0.125, true);
  /// a.attach(log); a.deposit(7); a.withdraw(4);
  Account& sequentialTest() {
    test("account");
    call(makeLog, {object(0x8000, log)}).write(0x8000).ret();
    Value owner{ValueKind::String, text, 0, 0, "Ada \"L\"", {}};
    Value dollar{ValueKind::Enum, currency, 1, 0, "", {}};
    Value rate{ValueKind::Float, number8, 0, 0.125, "", {}};
    Value open{ValueKind::Bool, boolean, 1, 0, "", {}};
    call(makeAccount, {object(0x1000, account), owner, dollar, rate, open});
    write(0x105c).writePointer(0x1060, 0).ret();
    call(attach, {object(0x1000, account), object(0x8000, log)}).lock(0x1000);
    writePointer(0x1060, 0x8000).unlock(0x1000).ret();
    call(deposit, {object(0x1000, account), number(7)}).lock(0x1000).readPointer(0x1060, 0x8000);
    read(0x8000).write(0x8000).read(0x105c).write(0x105c).unlock(0x1000).ret(number(7));
    call(withdraw, {object(0x1000, account), number(4)}).lock(0x1000).read(0x105c).unlock(0x1000);
    lock(0x1000).read(0x105c).write(0x105c).unlock(0x1000);
    Value yes{ValueKind::Bool, boolean, 1, 0, "", {}};
    ret(yes);
    return *this;
  }

  /// Both threads withdraw from one account. No access is unprotected, so no pair asks for it.
  SynthesizedTest withdrawals(const Synthesis& synthesis) const {
    auto found = std::ranges::find_if(synthesis.calls,
                                      [&](const auto& call) { return call.method == withdraw; });
    SynthesizedTest test;
    test.plan.collections = {{found->call, 1}, {found->call, 2}};
    for (uint32_t side = 0; side < 2; ++side)
      test.plan.sides[side] = {
          found->call,
          {{Operand::Collected, 0, 0, CallId::None}, {Operand::Collected, side, 1, CallId::None}},
          Label::None};
    test.text = planText(trace, synthesis.calls, test.plan);
    return test;
  }

  TypeId boolean, number8, text, currency, log, account;
  MethodId makeLog, makeAccount, attach, deposit, withdraw, balance;
};

} // namespace heddle::synth::test
