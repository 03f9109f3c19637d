#pragma once

#include "seed_builder.h"

/// The paper's own examples, as C++ classes would be laid out.
namespace heddle::synth::test {

/// Figure 13, with figure 8 in it: class A { std::mutex m; X* x; Y* y; }, class Z { X* w; }.
struct Figure13 : SeedBuilder {
  Figure13() {
    x = declareClass("X", 4);
    y = declareClass("Y", 4);
    z = declareClass("Z", 8);
    a = declareClass("A", 56);
    field(x, "o", 0, integer).field(y, "v", 0, integer).field(z, "w", 0, pointer(x));
    field(a, "m", 0, mutex).field(a, "x", 40, pointer(x)).field(a, "y", 48, pointer(y));
    makeX = constructor(x, {});
    makeY = constructor(y, {});
    makeZ = constructor(z, {});
    makeA = constructor(a, {reference(x)});
    foo = method(a, "foo", {reference(y)});
    bar = method(a, "bar", {reference(z)});
    baz = method(z, "baz", {reference(x)});
  }

  Figure13& newX(uint64_t address) {
    call(makeX, {object(address, x)}).write(address).ret();
    return *this;
  }
  Figure13& newY(uint64_t address) {
    call(makeY, {object(address, y)}).write(address).ret();
    return *this;
  }
  Figure13& newZ(uint64_t address) {
    call(makeZ, {object(address, z)}).writePointer(address, 0).ret();
    return *this;
  }
  Figure13& newA(uint64_t address, uint64_t xAddress) {
    call(makeA, {object(address, a), object(xAddress, x)});
    writePointer(address + 40, xAddress).writePointer(address + 48, 0).ret();
    return *this;
  }
  /// synchronized (this) { A b = this; X t = b.x; t.o = rand(); b.y = y; }
  Figure13& callFoo(uint64_t address, uint64_t xAddress, uint64_t yAddress) {
    call(foo, {object(address, a), object(yAddress, y)});
    lock(address).readPointer(address + 40, xAddress).write(xAddress);
    writePointer(address + 48, yAddress).unlock(address).ret();
    return *this;
  }
  /// this.x = z.w;
  Figure13& callBar(uint64_t address, uint64_t zAddress, uint64_t xAddress) {
    call(bar, {object(address, a), object(zAddress, z)});
    readPointer(zAddress, xAddress).writePointer(address + 40, xAddress).ret();
    return *this;
  }
  /// this.w = x;
  Figure13& callBaz(uint64_t address, uint64_t xAddress) {
    call(baz, {object(address, z), object(xAddress, x)});
    writePointer(address, xAddress).ret();
    return *this;
  }
  /// X x0; A a(x0); Y y; a.foo(y); and a second test: Z z; X x; z.baz(x); A a(x0); a.bar(z);
  Figure13& sequentialTests() {
    test("foo").clientObject(0x10, TypeId::None);
    newX(0x1000).newA(0x2000, 0x1000).newY(0x3000).callFoo(0x2000, 0x1000, 0x3000);
    test("bar").clientObject(0x10, TypeId::None);
    newX(0x1000).newX(0x1100).newZ(0x4000).callBaz(0x4000, 0x1000);
    newA(0x2000, 0x1100).callBar(0x2000, 0x4000, 0x1000);
    return *this;
  }

  TypeId x, y, z, a;
  MethodId makeX, makeY, makeZ, makeA, foo, bar, baz;
};

/// Figure 1: class Lib { std::mutex m; Counter* c; }, class Counter { int count; }.
struct Figure1 : SeedBuilder {
  Figure1() {
    counter = declareClass("Counter", 4);
    lib = declareClass("Lib", 48);
    field(counter, "count", 0, integer);
    field(lib, "m", 0, mutex).field(lib, "c", 40, pointer(counter));
    makeCounter = constructor(counter, {});
    makeLib = constructor(lib, {});
    update = method(lib, "update", {});
    set = method(lib, "set", {pointer(counter)});
    inc = method(counter, "inc", {});
  }
  /// Lib p; Counter r; p.set(&r); p.update();
  Figure1& sequentialTest() {
    test("update");
    call(makeLib, {object(0x1000, lib)}).writePointer(0x1028, 0).ret();
    call(makeCounter, {object(0x2000, counter)}).write(0x2000).ret();
    call(set, {object(0x1000, lib), object(0x2000, counter)});
    lock(0x1000).writePointer(0x1028, 0x2000).unlock(0x1000).ret();
    call(update, {object(0x1000, lib)});
    lock(0x1000).readPointer(0x1028, 0x2000).read(0x2000).write(0x2000).unlock(0x1000).ret();
    return *this;
  }
  Figure1& callInc() {
    call(inc, {object(0x2000, counter)}).read(0x2000).write(0x2000).ret();
    return *this;
  }

  TypeId counter, lib;
  MethodId makeCounter, makeLib, update, set, inc;
};

/// Figures 2 to 5: a queue that locks itself instead of the queue that it wraps. An interface, and
/// functions that make the objects.
struct Figure2 : SeedBuilder {
  Figure2() {
    queue = declareClass("WriteBehindQueue", 8);
    trace.types.at(queue).isAbstract = true;
    coalesced = declareClass("CoalescedWriteBehindQueue", 16);
    safe = declareClass("SynchronizedWriteBehindQueue", 64);
    base(coalesced, queue).base(safe, queue);
    field(coalesced, "size", 8, integer);
    field(safe, "own", 8, mutex).field(safe, "queue", 48, pointer(queue));
    field(safe, "mutex", 56, pointer(mutex));
    makeCoalesced = method(TypeId::None, "createCoalescedWriteBehindQueue", {}, pointer(queue),
                           MethodKind::Free);
    makeSafe = method(TypeId::None, "createSafeWriteBehindQueue", {pointer(queue)}, pointer(queue),
                      MethodKind::Free);
    removeFirst = method(queue, "removeFirst", {});
  }
  /// Figure 5.
  Figure2& sequentialTest() {
    test("test");
    call(makeCoalesced, {Value{}}).allocate(0x1000, coalesced).write(0x1008);
    ret(object(0x1000, coalesced));
    call(makeSafe, {Value{}, object(0x1000, coalesced)}).allocate(0x2000, safe);
    writePointer(0x2030, 0x1000).writePointer(0x2038, 0x2008).ret(object(0x2000, safe));
    call(removeFirst, {object(0x2000, safe)});
    readPointer(0x2038, 0x2008).lock(0x2008).readPointer(0x2030, 0x1000);
    read(0x1008).write(0x1008).unlock(0x2008).ret();
    return *this;
  }

  TypeId queue, coalesced, safe;
  MethodId makeCoalesced, makeSafe, removeFirst;
};

} // namespace heddle::synth::test
