// A counter of elections, written by threads that are started one after the other: each is joined
// before the next is started, so they never overlap, although the code of all is the same.
#include <array>
#include <thread>

class Election {
public:
  void vote(const char *candidate) {
    votes_[turnout_ % votes_.size()] = candidate; // NORACE
    ++turnout_;                                   // NORACE
  }

  void close() {
    closed_ = true; // NORACE
  }

  int turnout() const { return turnout_; } // NORACE
  int votes() const {
    int votes = 0;
    for (const char *vote : votes_)     // NORACE
      votes += closed_ && vote ? 1 : 0; // NORACE
    return votes;
  }

private:
  std::array<const char *, 16> votes_{};
  int turnout_ = 0;
  bool closed_ = false;
};

static void runPollingStation(Election &election, int voters) {
  for (int i = 0; i < voters; ++i)
    election.vote(i % 2 ? "left" : "right");
}

int main() {
  Election election;
  election.vote("postal");
  std::thread morning([&election] { runPollingStation(election, 3); });
  morning.join();
  std::thread evening([&election] { runPollingStation(election, 4); });
  evening.join();
  election.close();
  return election.turnout() == 8 && election.votes() == 8 ? 0 : 1;
}
