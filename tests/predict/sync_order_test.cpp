#include "predict/sync_order.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace heddle {
namespace {

using test::TraceBuilder;

constexpr uint64_t kCondition = 0x3000;

/// Everything that was told up to the end of the trace.
SyncOrder orderOf(const TraceBuilder& trace) {
  SyncOrder order;
  for (const Event& event : trace.events())
    order.add(event);
  Event last{}; // what is pending takes effect
  last.kind = static_cast<uint8_t>(EventKind::Read);
  order.add(last);
  return order;
}

TEST(SyncOrder, AJoinOrdersWhatTheThreadDidAndKnew) {
  TraceBuilder trace;
  trace.start(0, 1).start(1, 2).finish(2).join(1, 2).finish(1).join(0, 1);
  SyncOrder order = orderOf(trace);
  EXPECT_TRUE(order.mustPrecede(1, 1, 0));
  EXPECT_TRUE(order.mustPrecede(2, 1, 0)) << "through the thread that joined it";
}

TEST(SyncOrder, AThreadThatIsNotJoinedOrdersNothing) {
  TraceBuilder trace;
  trace.start(0, 1).start(0, 2).finish(1).join(0, 1);
  EXPECT_FALSE(orderOf(trace).mustPrecede(1, 1, 2));
}

TEST(SyncOrder, AThreadsObjectMayBeUsedAgain) {
  // The same object stands for one thread after the other, as memory that was freed does.
  TraceBuilder trace;
  trace.start(0, 1).finish(1).join(0, 1);
  trace.add(0, EventKind::ThreadCreate, 0).add(0, EventKind::ThreadCreate, 0x7000'0040);
  trace.add(2, EventKind::ThreadStart, 0x7000'0040);
  SyncOrder order = orderOf(trace);
  EXPECT_TRUE(order.mustPrecede(1, 1, 2)) << "joined before the second one was created";
  EXPECT_FALSE(order.mustPrecede(2, 1, 0));
}

TraceBuilder threeThreads() {
  TraceBuilder trace;
  trace.start(0, 1).start(0, 2).start(0, 3);
  return trace;
}

void wait(TraceBuilder& trace, uint32_t thread) {
  trace.add(thread, EventKind::CondWait, kCondition);
}
void notify(TraceBuilder& trace, uint32_t thread) {
  trace.add(thread, EventKind::CondSignal, kCondition);
}
void wake(TraceBuilder& trace, uint32_t thread, uint32_t outcome = 0) {
  trace.add(thread, EventKind::CondWake, kCondition, 0, 0, outcome);
}

TEST(SyncOrder, AWaiterHearsOfNotificationsThatCameWhileItWaited) {
  TraceBuilder trace = threeThreads();
  wait(trace, 1);
  notify(trace, 3);
  wait(trace, 2);
  wake(trace, 1);
  notify(trace, 3);
  wake(trace, 2);
  SyncOrder order = orderOf(trace);
  EXPECT_TRUE(order.mustPrecede(3, 1, 1));
  EXPECT_FALSE(order.mustPrecede(3, 2, 1)) << "it came after the wake-up";
  EXPECT_TRUE(order.mustPrecede(3, 2, 2));
}

TEST(SyncOrder, ANotificationBeforeTheWaitOrdersNothing) {
  TraceBuilder trace = threeThreads();
  wait(trace, 1);
  notify(trace, 3); // told to 1, while 2 does not wait
  wait(trace, 2);
  wake(trace, 1);
  notify(trace, 0);
  wake(trace, 2);
  EXPECT_FALSE(orderOf(trace).mustPrecede(3, 1, 2));
}

TEST(SyncOrder, AWaitThatEndsByItsTimeLimitHearsNothing) {
  TraceBuilder trace = threeThreads();
  wait(trace, 1);
  notify(trace, 3);
  wake(trace, 1, ETIMEDOUT);
  EXPECT_FALSE(orderOf(trace).mustPrecede(3, 1, 1));
}

} // namespace
} // namespace heddle
