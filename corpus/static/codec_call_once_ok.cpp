// A table of a codec that is built by the first user with call_once. The decoder and the encoder
// both call it, and read the table without a lock.
#include <mutex>
#include <thread>

class Codec {
public:
  int decode(int symbol) {
    std::call_once(once_, [this] { build(); });
    ++decoded_;            // NORACE
    return table_[symbol]; // NORACE
  }

  int encode(int value) {
    std::call_once(once_, [this] { build(); });
    ++encoded_; // NORACE
    for (int symbol = 0; symbol < 8; ++symbol)
      if (table_[symbol] == value) // NORACE
        return symbol;
    return -1;
  }

  int uses() const { return decoded_ + encoded_; } // NORACE

private:
  void build() {
    for (int symbol = 0; symbol < 8; ++symbol)
      table_[symbol] = symbol ^ 5; // NORACE
  }

  std::once_flag once_;
  int table_[8] = {};
  int decoded_ = 0;
  int encoded_ = 0;
};

int main() {
  Codec codec;
  int value = 0, symbol = 0;
  std::thread decoder([&] { value = codec.decode(3); });
  std::thread encoder([&] { symbol = codec.encode(6); });
  decoder.join();
  encoder.join();
  return value == 6 && symbol == 3 && codec.uses() == 2 ? 0 : 1; // NORACE
}
