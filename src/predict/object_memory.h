#pragma once

#include "model/event.h"
#include "model/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle {

/// Which memory is whose while a trace is read: objects that functions were entered with, blocks on
/// the heap that belong to them, and new blocks that only one thread can know.
class ObjectMemory {
public:
  /// An object that some function was entered with.
  struct KnownObject {
    uint64_t address = 0;
    uint64_t size = 0;
    SiteId entry = SiteId::None; ///< that describes it
  };
  enum class Kind { Object, Global };

  void know(Kind kind, const KnownObject& object);
  /// The largest object around the address, or around what owns its memory.
  std::optional<KnownObject> known(Kind kind, uint64_t address) const;

  /// The thread has a new block; nobody else knows it.
  void allocate(uint32_t thread, uint64_t begin, uint64_t end);
  /// The block belongs to the objects at these addresses.
  void setOwners(uint64_t begin, uint64_t end, std::vector<uint64_t> owners);
  /// Forgets what was there. Whether that was an object or belonged to one.
  bool free(uint64_t begin, uint64_t end);

  /// Whether it is in a block that belongs to an object.
  bool isOwned(uint64_t address) const { return ownedBlock(address) != nullptr; }
  /// Whether [begin, end) is a part of the object or in a block that belongs to it.
  bool belongsTo(const KnownObject& object, uint64_t begin, uint64_t end) const {
    return belongsTo(object, begin, end, 0);
  }

  /// Whether the access is to a new block that only the thread which makes it can know. A write
  /// elsewhere may make the blocks of its thread known.
  bool isPrivate(const Event& access, bool write);
  /// The thread tells others something: they may know its new blocks.
  void publish(uint32_t thread);

private:
  using Objects = std::map<uint64_t, KnownObject>; ///< by address
  struct OwnedBlock {
    uint64_t end = 0;
    std::vector<uint64_t> owners; ///< addresses
  };
  struct NewBlock {
    uint64_t end = 0;
    uint32_t thread = 0;
  };

  /// Null: it is in no such block.
  const OwnedBlock* ownedBlock(uint64_t address) const;
  bool belongsTo(const KnownObject& object, uint64_t begin, uint64_t end, unsigned depth) const;
  const KnownObject* known(const Objects& objects, uint64_t address, unsigned depth) const;

  Objects objects_; ///< of classes
  Objects globals_;
  std::map<uint64_t, OwnedBlock> owned_;                     ///< by their beginning
  std::map<uint64_t, NewBlock> new_;                         ///< by their beginning
  std::map<uint32_t, std::vector<uint64_t>> newBlocks_ = {}; ///< by thread
};

} // namespace heddle
