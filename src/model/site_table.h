#pragma once

#include "ids.h"

#include <stdint.h>

/// The contract between instrumented code (written by the pass), the runtime in the program and
/// the controller: the table of sites that each translation unit carries, and the hooks it calls.
///
/// Every translation unit has one ModuleDescriptor and registers it from a constructor. The
/// tables need no relocation besides the descriptor's own pointers: strings are offsets.
namespace heddle {

inline constexpr uint32_t kSiteTableMagic = 0x4c444548; // "HEDL"
inline constexpr uint32_t kSiteTableVersion = 3;

/// Section with the linkage names of all functions that the pass saw, each with a 0 after it.
/// It is read from the file and never by the program.
inline constexpr const char* kSeenSection = ".heddle_seen";

enum class SiteKind : uint8_t {
  Read,
  Write,
  AtomicRead,
  AtomicWrite,
  AtomicUpdate, ///< read-modify-write and compare-exchange
  Fence,
  RangeRead,  ///< source of memcpy, memmove
  RangeWrite, ///< destination of memcpy, memmove, memset
  Call,       ///< a call; with kSiteSync one that matters to the runtime (sync, allocation, I/O)
  Spin,       ///< back edge of a loop that only waits for memory to change
  Enter, ///< entry of a function, with an object that it gets: `object` is the class, or the set
         ///< that a global belongs to; `callee` has the members, see member_layout.h. With
         ///< kSiteCallees without an object of its own
};

constexpr bool isAtomic(SiteKind kind) {
  return kind == SiteKind::AtomicRead || kind == SiteKind::AtomicWrite ||
         kind == SiteKind::AtomicUpdate;
}
constexpr bool isAccess(SiteKind kind) {
  return kind != SiteKind::Fence && kind != SiteKind::Call && kind != SiteKind::Spin &&
         kind != SiteKind::Enter;
}
constexpr bool isWrite(SiteKind kind) {
  return kind == SiteKind::Write || kind == SiteKind::AtomicWrite ||
         kind == SiteKind::AtomicUpdate || kind == SiteKind::RangeWrite;
}

enum SiteFlags : uint8_t {
  kSiteSync = 1,    ///< Call: the runtime must know this call site (its mode byte is always set)
  kSiteLibrary = 2, ///< stands in a system header (std::, boost::): shown only below a user frame
  kSiteVolatile = 4,
  kSiteUndeclared = 16,  ///< Enter: no unit of work unless somebody says so
  kSiteResultUnused = 4, ///< Call: nobody looks at what it returns
  kSiteGlobal = 8,     ///< Enter: the object is a global, and `object` names the set that it is in
  kSiteUnseen = 64,    ///< Call: of a function that the unit does not have, or of assembly that
                       ///< nobody can read; whether it is code without hooks is known later
  kSiteAssembly = 128, ///< an access, a fence or a call that inline assembly makes
  kSiteCallees = 32,   ///< Enter: stands for what is used while the function runs: the globals of
                       ///< the set `object`; if that is empty, all objects
};

/// What a site's mode byte asks the hook to do. Bits; 0 means that the hook is not called.
enum SiteMode : uint8_t {
  kModeOff = 0,
  kModePoint = 1,     ///< scheduling point
  kModeRecord = 2,    ///< write an event to the trace
  kModeLearn = 4,     ///< watch which memory is shared
  kModeCheck = 8,     ///< check for use after free only
  kModeTarget = 16,   ///< scheduling point at which the plan's target may be triggered
  kModeSelected = 32, ///< its events are the plan's selected ones
};

struct SiteRecord {
  uint64_t identity; ///< hash of (linkage name, file if internal; index in function; kind; body)
  uint32_t function; ///< string offset: linkage name of the enclosing function
  uint32_t file;     ///< string offset: path as the compiler was given it, "" without -g
  uint32_t line;     ///< 0 without -g
  uint32_t column;
  uint32_t size;   ///< bytes accessed; 0 when not known at compile time
  uint32_t object; ///< string offset: "Account::balance", "counter", ""; what is accessed or locked
  uint32_t offset; ///< bytes from the start of the class or variable in `object`
  uint32_t callee; ///< string offset: linkage name of the callee of a Call, ""
  uint32_t inlinedAt;     ///< string offset: "file:line:column" chain separated by ';', usually ""
  uint32_t functionIndex; ///< into ModuleDescriptor::functions
  SiteKind kind;
  uint8_t flags; ///< SiteFlags
  uint16_t reserved;
  uint32_t ordinal; ///< among sites of this function with equal object and kind: for finding ids
};
static_assert(sizeof(SiteRecord) == 64 - 8, "the pass writes this layout");

struct FunctionRecord {
  uint32_t name;        ///< string offset: linkage name
  uint32_t displayName; ///< string offset: name from debug info with its scope, or ""
  uint32_t firstSite;
  uint32_t siteCount;
  uint32_t
      firstCallee; ///< into ModuleDescriptor::callees: functions whose clones it calls directly
  uint32_t calleeCount;
};

/// What a hook gets a pointer to; filled by the runtime. Its two words are those parts of a
/// recorded event that depend on the site alone.
struct SiteSlot {
  uint32_t id;    ///< SiteId
  uint16_t watch; ///< SlotWatch; a recorded event has its thread here
  uint16_t size;
  uint64_t kind; ///< EventKind << 48 when the hook only has to write the event, kThinnedSlot and a
                 ///< number, or else kSlowSlot
};
inline constexpr uint64_t kSlowSlot = ~uint64_t{0};
/// With the number of a site that is thinned out (runtime/thinning.h): most of its executions are
/// only counted.
inline constexpr uint64_t kThinnedSlot = uint64_t{1} << 63;
inline constexpr uint64_t kThinnedRecorded = uint64_t{1} << 61; ///< and written to the trace
constexpr bool isThinned(const SiteSlot& slot) { return slot.kind >> 62 == 2; }
constexpr uint32_t thinnedNumber(const SiteSlot& slot) { return static_cast<uint32_t>(slot.kind); }
/// What the hook does besides, at a site that is said to be local; with kSlowSlot only.
enum SlotWatch : uint16_t {
  kWatchNothing,
  kWatchLocal, ///< looks whether the memory is the thread's own
  kWatchOver,  ///< has seen enough: a loop that tested the mode byte before still calls the hook
};
static_assert(sizeof(SiteSlot) == 16, "the pass writes this layout");

struct ModuleDescriptor {
  uint32_t magic;
  uint32_t version;
  uint32_t siteCount;
  uint32_t functionCount;
  uint32_t calleeCount;
  uint32_t stringBytes;
  const SiteRecord* sites;
  uint8_t* modes;  ///< SiteMode bits, one per site, tested inline by the hooked clone
  SiteSlot* slots; ///< one per site
  const FunctionRecord* functions;
  uint8_t* functionModes; ///< one per function: not 0 selects the hooked clone in the dispatcher
  const uint32_t* callees;
  const char* strings;    ///< offset 0 is ""
  const char* source;     ///< the translation unit's main file
  ModuleDescriptor* next; ///< for the runtime
  uint64_t reserved;
};
static_assert(sizeof(ModuleDescriptor) == 24 + 10 * 8, "the pass writes this layout");

} // namespace heddle

/// The hooks. Instrumented code declares all of them extern_weak, so that an instrumented shared
/// library links with -z defs and runs in a program without the runtime: there every mode byte
/// stays 0 and no hook is called. Access hooks use the preserve_most convention, so that the
/// fast path around them keeps its registers.
extern "C" {
#if defined(__clang__)
#define HEDDLE_HOOK __attribute__((preserve_most, visibility("default")))
#else
#define HEDDLE_HOOK __attribute__((visibility("default")))
#endif
/// Before an access that is not atomic. `site` points into slots[], of which most only need the
/// id, the first member.
HEDDLE_HOOK void __heddle_access(const void* address, const uint32_t* site);
/// Before an atomic operation or a fence (address null). `orders` is PackedOrders of
/// memory_order.h: a constant at each call, but not of the site, because an order that is an
/// argument is a switch over calls. `expected` is what a compare-exchange of at most 8 bytes
/// compares with; larger ones have no failure order, as if they were no compare-exchange.
HEDDLE_HOOK void __heddle_atomic(const void* address, const uint32_t* site, uint32_t orders,
                                 uint64_t expected);
/// Before memcpy and friends touch `length` bytes.
HEDDLE_HOOK void __heddle_range(const void* address, uint64_t length, const uint32_t* site);
/// Before a call with kSiteSync, in both clones.
HEDDLE_HOOK void __heddle_call(const uint32_t* site);
/// Before a call with kSiteUnseen, in both clones, but for the next one. `callee` is null of direct
/// calls and assembly.
HEDDLE_HOOK void __heddle_unseen(const uint32_t* site, const void* callee);
/// Before such a call through a pointer in a plain clone, which does not tell when it has returned.
HEDDLE_HOOK void __heddle_passing(const uint32_t* site, const void* callee);
/// When a call with kSiteUnseen has returned.
HEDDLE_HOOK void __heddle_seen(const uint32_t* site);
/// At the back edge of a loop that only waits, in both clones, without a mode test but only when
/// the descriptor was registered (its ids are not 0).
HEDDLE_HOOK void __heddle_spin(const uint32_t* site);
/// From a module's constructor and destructor.
__attribute__((visibility("default"))) void __heddle_register(heddle::ModuleDescriptor* module);
__attribute__((visibility("default"))) void __heddle_unregister(heddle::ModuleDescriptor* module);
/// Top of the running thread's shadow stack of call sites; see docs/pass.md. Only hooked clones
/// touch it: at entry they take one slot, before each call they store &ids[site] in it.
extern __attribute__((visibility("default"))) const uint32_t** __heddle_frame;
}
