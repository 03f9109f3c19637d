// A ball goes back and forth between two teams of two players, thousands of times, through one
// condition variable; who gets it within the team is open.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Table {
public:
  explicit Table(int strokes) : left_(strokes) {}

  /// False when the game is over.
  bool play(int team, int& played) {
    std::unique_lock<std::mutex> lock(mutex_);
    turn_.wait(lock, [&] { return left_ == 0 || side_ == team; });
    if (left_ == 0)
      return false;
    --left_;
    ++played;
    side_ = 1 - team;
    turn_.notify_all();
    return true;
  }

private:
  std::mutex mutex_;
  std::condition_variable turn_;
  int side_ = 0;
  int left_;
};

} // namespace

int main(int argc, char** argv) {
  int strokes = argc > 1 ? std::atoi(argv[1]) * 2 : 10000;
  Table table(strokes);
  int played[4] = {};
  std::vector<std::thread> players;
  for (int i = 0; i < 4; ++i)
    players.emplace_back([&, i] {
      while (table.play(i % 2, played[i])) {
      }
    });
  for (std::thread& player : players)
    player.join();
  assert(played[0] + played[2] == strokes / 2);
  assert(played[1] + played[3] == strokes / 2);
}
