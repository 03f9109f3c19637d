#pragma once

#include "static/ir/vtables.h"
#include "static/points_to/contexts.h"
#include "static/points_to/location_set.h"
#include "static/points_to/program_constraints.h"

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>

/// Which objects a pointer may point to, and which functions a call may reach: inclusion-based,
/// field-sensitive, with contexts, the call graph made on the fly. docs/static-points-to.md has the
/// rules.
namespace heddle::analysis {

enum class ObjectId : uint32_t {};
enum class LocationId : uint32_t { None = 0xffffffff };
enum class InstanceId : uint32_t { None = 0xffffffff };
using NodeId = uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

inline constexpr ObjectId kNoIteration = static_cast<ObjectId>(0xffffffff);

constexpr uint32_t raw(ObjectId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t raw(LocationId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t raw(InstanceId id) { return static_cast<uint32_t>(id); }

enum class ObjectKind : uint8_t {
  Global,
  Function,
  Local, ///< a variable on the stack
  Heap,
  Thread,    ///< what a thread's handle stands for
  Thrown,    ///< all exceptions in flight
  Iteration, ///< no object: the number of a loop's iteration
  Copy,      ///< no object: what a copy of memory passes on
};

struct Object {
  ObjectKind kind;
  const llvm::Value* site; ///< global, function, alloca, or the call that allocates or creates
  ContextId context = ContextId::Empty;
  InstanceId creator = InstanceId::None; ///< the function in whose context it is made
  uint64_t size = 0;                     ///< 0: not known
  bool collapsed = false;                ///< too many parts: all are one
  bool isVtable = false;
  bool isText = false;                ///< characters only
  const llvm::DIType* type = nullptr; ///< of it or of its elements; null: not known
  std::vector<LocationId> locations;

  bool isThreadLocal() const {
    auto* variable =
        kind == ObjectKind::Global ? llvm::dyn_cast<llvm::GlobalVariable>(site) : nullptr;
    return variable && variable->isThreadLocal();
  }
};

/// A part of an object: one offset, or with a stride every `stride` bytes from it on, up to
/// `extent` bytes (0: to the end).
struct Location {
  ObjectId object;
  uint32_t offset;
  uint32_t stride;
  uint32_t extent;
  ObjectId iteration =
      kNoIteration;      ///< the loop in whose iterations it is another element each time
  NodeId read = kNoNode; ///< what can be read here, once somebody reads or writes
  NodeId write = kNoNode;
};

/// Whether the two can have a start in common.
bool overlap(const Location& one, const Location& other);

/// A function in a context.
struct Instance {
  const FunctionConstraints* body;
  ContextId context;
  bool transient; ///< a base class's part of a constructor: the vtable it sets is not kept
  NodeId first;   ///< of its variables
};

enum class EdgeKind : uint8_t { Call, Fork };

struct CallEdge {
  InstanceId caller;
  uint32_t call; ///< FunctionConstraints::calls
  InstanceId callee;
  EdgeKind kind;
};

struct PointsToOptions {
  unsigned k = 2;
  /// How many functions in context there are, now and then; may throw to end the solving.
  std::function<void(size_t instances)> progress = {};
};

class PointsTo {
public:
  /// Solves from the entries: main, constructors of globals, or a harness.
  PointsTo(const llvm::Module& module, ProgramConstraints& constraints, PointsToOptions options);
  ~PointsTo();

  void solve(std::span<const llvm::Function* const> entries);

  std::span<const Instance> instances() const { return instances_; }
  std::span<const CallEdge> edges() const { return edges_; }
  const Instance& instance(InstanceId id) const { return instances_[raw(id)]; }
  const Location& location(LocationId id) const { return locations_[raw(id)]; }
  const Object& object(ObjectId id) const { return objects_[raw(id)]; }
  const Object& objectOf(LocationId id) const { return object(location(id).object); }
  size_t objectCount() const { return objects_.size(); }
  size_t locationCount() const { return locations_.size(); }
  const Contexts& contexts() const { return contexts_; }
  std::span<const InstanceId> entries() const { return entryInstances_; }
  unsigned k() const { return options_.k; }

  /// The locations that an operand of the instance's function points to.
  std::span<const uint32_t> pointees(InstanceId instance, Operand operand) const;
  std::span<const uint32_t> pointees(InstanceId instance, const llvm::Value* value) const;
  /// The location so many bytes from another one in the same object, if there is one.
  LocationId find(LocationId from, int64_t bytes) const;
  /// What a location may hold.
  std::span<const uint32_t> contents(LocationId location) const;
  /// Functions that are called and have neither code nor a model, with a call of each.
  const llvm::DenseMap<const llvm::Function*, const llvm::CallBase*>& unknown() const {
    return unknown_;
  }
  const ProgramConstraints& constraints() const { return constraints_; }
  ProgramConstraints& constraints() { return constraints_; }

private:
  /// What is known of the pointees of some nodes, with the answers that were given.
  struct Limit {
    PointeeLimit what;
    LocationFilter filter;
  };

  struct Node {
    LocationSet set;
    LocationSet fresh;                    ///< the part of it that is not passed on yet
    llvm::SmallVector<NodeId, 0> targets; ///< copies that are not in a body
    llvm::SmallVector<uint32_t, 0> watchers;
    Limit* limit = nullptr;
    uint32_t instance; ///< InstanceId, or none for a cell
    bool queued = false;
  };

  enum class WatchKind : uint8_t { VirtualReceiver, StateOwner, MemberReceiver };
  struct Watcher {
    WatchKind kind;
    EdgeKind edge;
    InstanceId instance;
    uint32_t call;
    LocationId receiver = LocationId::None;
    const llvm::Function* function = nullptr;
    int32_t slot = 0;
  };

  /// A stretch of an object that is copied to another.
  struct CopyRule {
    ObjectId target;
    int64_t delta;
    uint32_t from;
    uint64_t length; ///< 0: all
    bool operator==(const CopyRule&) const = default;
  };

  // objects and locations
  ObjectId newObject(ObjectKind kind, const llvm::Value* site, ContextId context, uint64_t size,
                     InstanceId creator);
  ObjectId globalObject(const llvm::GlobalValue& global);
  void initialize(ObjectId object, const llvm::Constant& value, uint64_t offset);
  LocationId locationOf(ObjectId object, int64_t offset, uint32_t stride, uint32_t extent,
                        ObjectId iteration = kNoIteration);
  void clip(const Object& object, int64_t offset, uint32_t& stride, uint32_t& extent);
  uint64_t scalarStart(const Object& object, uint64_t offset);
  void widen(const Object& object, int64_t& offset, uint32_t& stride, uint32_t& extent);
  LocationId moved(LocationId from, const Step& step, ObjectId iteration = kNoIteration);
  LocationId rowBefore(const Location& base, const Step& step);
  ObjectId iterationOf(InstanceId instance, Operand index) const;
  ObjectId madeObject(ObjectKind kind, const llvm::Value& site, InstanceId maker, uint64_t size);
  void makeCells(LocationId location);
  void addOwnText(LocationId pointer);
  Limit* limitOf(const Location& cell);
  Limit* limitFor(CellContent content, uint64_t bytes = 0);
  NodeId readNode(LocationId location);
  NodeId writeNode(LocationId location);
  void copyMemory(InstanceId instance, uint32_t op, LocationId fresh, bool isSource);
  uint64_t copyLength(LocationId to, LocationId from);
  void copyObject(LocationId to, LocationId from, uint64_t length);
  void applyRule(const CopyRule& rule, LocationId from);
  void copyNewCells();
  void copyPart(LocationId from, LocationId to);
  bool mayWalk(const Object& object, uint64_t offset, uint64_t stride);
  bool isOf(LocationId location, const MemberPlace& member);
  bool fits(const PointeeLimit& limit, LocationId location);

  // nodes
  NodeId newNode(uint32_t instance);
  NodeId nodeOf(InstanceId instance, Operand operand);
  NodeId constantNode(uint32_t index);
  void add(NodeId node, LocationId location);
  void addAll(NodeId node, const LocationSet& locations);
  void enqueue(NodeId node, bool urgent);
  void finish();
  void addEdge(NodeId from, NodeId to);
  void addWatcher(NodeId node, Watcher watcher);
  void process(NodeId node);
  void handleWatched(InstanceId instance, uint32_t op, uint32_t variable, const LocationSet& fresh);

  // instances and calls
  InstanceId instanceOf(const llvm::Function& function, ContextId context, bool transient);
  void start(InstanceId instance);
  void handleOp(InstanceId instance, uint32_t op, LocationId location, bool viaOther);
  void handleIndex(InstanceId instance, uint32_t op);
  void handleUnindexed();
  void handleUnconditional(InstanceId instance, uint32_t op);
  void startCall(InstanceId instance, uint32_t call);
  std::vector<LocationId> constantValues(Operand operand);
  void handleCall(InstanceId instance, uint32_t call, LocationId location);
  void handleModel(InstanceId instance, uint32_t call, bool first);
  void handleMemoryModel(InstanceId instance, const CallOp& call, bool first);
  std::vector<uint32_t> argumentPointees(InstanceId instance, const CallOp& call, int8_t which);
  std::vector<const llvm::Function*> argumentFunctions(InstanceId instance, const CallOp& call,
                                                       int8_t which);
  LocationId newBlock(InstanceId instance, const llvm::CallBase& call);
  void createThread(InstanceId instance, uint32_t call);
  void handleWatcher(const Watcher& watcher, LocationId location);
  void callFunction(InstanceId instance, uint32_t call, const llvm::Function& function,
                    LocationId receiver, EdgeKind kind);
  void callIndirect(InstanceId instance, uint32_t call, const llvm::Function& function,
                    EdgeKind kind);
  void connect(InstanceId caller, uint32_t call, InstanceId callee, LocationId receiver,
               EdgeKind kind);
  void link(InstanceId instance, std::array<Operand, 3> nodes);
  LocationId keptBy(const llvm::Function& function);
  void startThread(InstanceId instance, uint32_t call, const llvm::Function& function);
  void callBack(InstanceId instance, uint32_t call, const llvm::Function& function);
  void callOnce(InstanceId instance, uint32_t call);
  ContextId receiverContext(LocationId receiver);
  ContextId callContext(InstanceId caller, const llvm::CallBase& call,
                        const llvm::Function& callee);
  const llvm::Function* vtableEntry(LocationId vtable, int32_t slot) const;
  bool mayDispatch(const Watcher& watcher, LocationId vtable);
  void addCallEdge(InstanceId caller, uint32_t call, InstanceId callee, EdgeKind kind);

  const llvm::Module& module_;
  ProgramConstraints& constraints_;
  PointsToOptions options_;
  size_t mostVariables_;
  Contexts contexts_;
  std::vector<Object> objects_;
  std::vector<Location> locations_;
  std::vector<Node> nodes_;
  std::vector<Instance> instances_;
  std::vector<CallEdge> edges_;
  std::vector<Watcher> watchers_;
  std::vector<InstanceId> entryInstances_;
  std::vector<NodeId> queue_, next_, urgent_;
  std::vector<InstanceId> toStart_;
  /// Addresses of elements whose index has no value yet: it may turn out to be a loop's iteration.
  std::vector<std::pair<InstanceId, uint32_t>> unindexed_;
  llvm::DenseSet<uint64_t> knownUnindexed_;
  std::vector<NodeId> constantNodes_;
  std::vector<std::vector<CopyRule>> copyRules_; ///< by object
  std::vector<LocationId> uncopied_;             ///< new cells of objects that are copied
  llvm::DenseSet<uint64_t> knownRules_;          ///< hashes
  llvm::DenseMap<uint64_t, LocationId> copies_;  ///< by instance and op: the object in between
  llvm::DenseMap<const llvm::GlobalValue*, ObjectId> globals_;
  llvm::DenseMap<std::pair<const llvm::Value*, uint64_t>, ObjectId> made_;
  llvm::DenseMap<std::pair<std::pair<uint64_t, uint64_t>, uint32_t>, LocationId> locationIds_;
  llvm::DenseMap<std::pair<const llvm::Function*, uint64_t>, InstanceId> instanceIds_;
  llvm::DenseMap<const llvm::Function*, uint32_t> instanceCounts_;
  llvm::DenseSet<uint64_t> knownEdges_;
  llvm::DenseSet<uint64_t> knownWatchers_;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, char> knownCalls_;
  llvm::DenseMap<const llvm::Function*, const llvm::CallBase*> unknown_;
  NodeId thrown_ = kNoNode;
  LocationId kept_ = LocationId::None; ///< what functions of the kernel keep for the program
  TypeLayouts& layouts_;
  Vtables vtables_;
  std::map<std::tuple<CellContent::Kind, const llvm::DICompositeType*, uint64_t>, Limit> limits_;
  LocationSet iterations_; ///< numbers of loop iterations
  /// When it is solved: the different sets, and which one a node has.
  std::vector<std::vector<uint32_t>> solved_;
  std::vector<uint32_t> solvedOf_;
};

} // namespace heddle::analysis
