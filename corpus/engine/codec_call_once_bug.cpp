// A codec that is made on first use by std::call_once, with an atomic flag as a fast path around
// it. The flag is raised before the codec is made; a thread that sees it skips call_once, does not
// wait for the maker, and follows a null pointer.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Codec {
  int level = 9;
};

static std::once_flag once;
static std::atomic<bool> ready{false};
static std::atomic<Codec *> codec{nullptr};

static void makeCodec() {
  ready.store(true);
  codec.store(new Codec);
}

static int compressionLevel() {
  if (!ready.load())
    std::call_once(once, makeCodec);
  Codec *shared = codec.load();
  return shared->level; // EXPECT: crash
}

int main() {
  int first = 0;
  int second = 0;
  std::thread encoder([&] { first = compressionLevel(); });
  std::thread decoder([&] { second = compressionLevel(); });
  encoder.join();
  decoder.join();
  assert(first == 9 && second == 9);
  delete codec.load();
}
