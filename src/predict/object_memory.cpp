#include "predict/object_memory.h"

#include <algorithm>

namespace heddle {
namespace {

/// How far memory is followed from owner to owner.
constexpr unsigned kMaxOwnership = 4;
/// Objects that begin before an address and are looked at.
constexpr unsigned kMaxNested = 64;

} // namespace

void ObjectMemory::know(Kind kind, const KnownObject& object) {
  KnownObject& known = (kind == Kind::Global ? globals_ : objects_)[object.address];
  if (object.size > known.size)
    known = object;
}

std::optional<ObjectMemory::KnownObject> ObjectMemory::known(Kind kind, uint64_t address) const {
  const KnownObject* found = known(kind == Kind::Global ? globals_ : objects_, address, 0);
  return found ? std::optional(*found) : std::nullopt;
}

const ObjectMemory::KnownObject* ObjectMemory::known(const Objects& objects, uint64_t address,
                                                     unsigned depth) const {
  const KnownObject* found = nullptr;
  auto one = objects.upper_bound(address);
  for (unsigned i = 0; i < kMaxNested && one != objects.begin(); ++i) {
    const KnownObject& object = (--one)->second;
    if (address - object.address < object.size && (!found || object.size > found->size))
      found = &object;
  }
  const OwnedBlock* block = !found && depth < kMaxOwnership ? ownedBlock(address) : nullptr;
  for (size_t i = 0; block && i < block->owners.size() && !found; ++i)
    found = known(objects, block->owners[i], depth + 1);
  return found;
}

void ObjectMemory::allocate(uint32_t thread, uint64_t begin, uint64_t end) {
  new_[begin] = {end, thread};
  newBlocks_[thread].push_back(begin);
}

void ObjectMemory::setOwners(uint64_t begin, uint64_t end, std::vector<uint64_t> owners) {
  owned_[begin] = {end, std::move(owners)};
}

bool ObjectMemory::free(uint64_t begin, uint64_t end) {
  new_.erase(begin);
  bool owned = owned_.erase(begin) != 0;
  auto first = objects_.lower_bound(begin);
  auto last = objects_.lower_bound(end);
  bool holdsObject = first != last;
  objects_.erase(first, last);
  return owned || holdsObject;
}

const ObjectMemory::OwnedBlock* ObjectMemory::ownedBlock(uint64_t address) const {
  auto next = owned_.upper_bound(address);
  if (next == owned_.begin())
    return nullptr;
  const OwnedBlock& block = std::prev(next)->second;
  return address < block.end ? &block : nullptr;
}

bool ObjectMemory::belongsTo(const KnownObject& object, uint64_t begin, uint64_t end,
                             unsigned depth) const {
  if (begin < object.address + object.size && object.address < end)
    return true;
  const OwnedBlock* block = depth < kMaxOwnership ? ownedBlock(begin) : nullptr;
  return block && std::any_of(block->owners.begin(), block->owners.end(), [&](uint64_t owner) {
           return belongsTo(object, owner, owner + 1, depth + 1);
         });
}

bool ObjectMemory::isPrivate(const Event& access, bool write) {
  auto next = new_.upper_bound(access.address);
  bool inNew = next != new_.begin() && access.address < std::prev(next)->second.end;
  uint32_t owner = inNew ? std::prev(next)->second.thread : access.thread;
  if (inNew && owner == access.thread)
    return true;
  if (inNew || write)
    publish(owner);
  return false;
}

void ObjectMemory::publish(uint32_t thread) {
  auto blocks = newBlocks_.find(thread);
  if (blocks == newBlocks_.end())
    return;
  for (uint64_t block : blocks->second)
    new_.erase(block);
  newBlocks_.erase(blocks);
}

} // namespace heddle
