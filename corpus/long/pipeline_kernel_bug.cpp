// A pipeline that compresses blocks: one thread reads, two encode, one writes. A block
// that can not be compressed is marked as done before its checksum is stored: the writer may take
// it in between.
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#ifndef BLOCKS
#define BLOCKS 8000
#endif

constexpr std::size_t kBytes = 1024;
constexpr std::size_t kGroup = 8; // blocks that are written together

struct Block {
  std::vector<unsigned char> data, packed;
  unsigned checksum = 0;
  bool done = false;
};

static unsigned checksumOf(const std::vector<unsigned char>& bytes) {
  unsigned sum = 1;
  for (unsigned char byte : bytes)
    sum = sum * 31 + byte;
  return sum;
}

/// Runs of equal bytes become a length and a byte.
static std::vector<unsigned char> pack(const std::vector<unsigned char>& data) {
  std::vector<unsigned char> packed;
  for (std::size_t i = 0; i < data.size();) {
    unsigned char length = 1;
    while (i + length < data.size() && length < 255 && data[i + length] == data[i])
      ++length;
    packed.push_back(length);
    packed.push_back(data[i]);
    i += length;
  }
  return packed;
}

class Pipeline {
public:
  Pipeline() : blocks_(BLOCKS) {}

  void read() {
    unsigned seed = 1;
    for (Block& block : blocks_) {
      std::size_t run = filled_ % 256 == 128 ? 1 : 8; // a few blocks can not be compressed
      for (std::size_t i = 0; i < kBytes; ++i) {
        seed = i % run == 0 ? seed * 1664525u + 1013904223u : seed;
        block.data.push_back(static_cast<unsigned char>(seed >> 24));
      }
      std::lock_guard<std::mutex> guard(mutex_);
      ++filled_;
      changed_.notify_all();
    }
  }

  void encode() {
    while (Block* block = nextBlock()) {
      block->packed = pack(block->data);
      if (block->packed.size() < block->data.size())
        finish(*block);
      else
        keepAsItIs(*block);
      changed_.notify_all();
    }
  }

  void write() {
    for (std::size_t first = 0; first < blocks_.size(); first += kGroup) {
      for (std::size_t i = first; i < first + kGroup; ++i)
        waitUntilDone(blocks_[i]);
      for (std::size_t i = first; i < first + kGroup; ++i)
        check(blocks_[i]);
    }
  }

private:
  void finish(Block& block) {
    block.checksum = checksumOf(block.packed);
    markDone(block);
  }

  void keepAsItIs(Block& block) {
    block.packed = block.data;
    unsigned checksum = checksumOf(block.packed);
    markDone(block);
    block.checksum = checksum; // RACE!
  }

  void check(const Block& block) {
    assert(checksumOf(block.packed) == block.checksum); // EXPECT: assertion // RACE!
  }

  Block* nextBlock() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return taken_ < filled_ || taken_ == blocks_.size(); });
    return taken_ == blocks_.size() ? nullptr : &blocks_[taken_++];
  }

  void markDone(Block& block) {
    std::lock_guard<std::mutex> guard(mutex_);
    block.done = true;
  }

  void waitUntilDone(Block& block) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return block.done; });
  }

  std::vector<Block> blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0, taken_ = 0;
};

int main() {
  Pipeline pipeline;
  std::thread reader(&Pipeline::read, &pipeline);
  std::thread first(&Pipeline::encode, &pipeline);
  std::thread second(&Pipeline::encode, &pipeline);
  std::thread writer(&Pipeline::write, &pipeline);
  reader.join();
  first.join();
  second.join();
  writer.join();
}
