// A journal whose transactions take the lock in begin and give it back in commit or rollback, so
// that the lock is held between calls. rollback forgets that the lock is gone when it counts.
#include <mutex>
#include <thread>
#include <vector>

class Journal {
public:
  void begin() {
    mutex_.lock();
    pending_.clear(); // NORACE
  }

  void append(int entry) { pending_.push_back(entry); } // NORACE

  void commit() {
    entries_.insert(entries_.end(), pending_.begin(), pending_.end()); // NORACE
    ++commits_;                                                        // NORACE
    mutex_.unlock();
  }

  void rollback() {
    pending_.clear(); // NORACE
    mutex_.unlock();
    ++rollbacks_; // RACE!
  }

  std::size_t size() const { return entries_.size(); }       // NORACE
  int transactions() const { return commits_ + rollbacks_; } // NORACE

private:
  std::mutex mutex_;
  std::vector<int> pending_;
  std::vector<int> entries_;
  int commits_ = 0;
  int rollbacks_ = 0;
};

static void record(Journal &journal, int first) {
  for (int entry = first; entry < first + 4; ++entry) {
    journal.begin();
    journal.append(entry);
    if (entry % 2 == 0)
      journal.commit();
    else
      journal.rollback();
  }
}

int main() {
  Journal journal;
  std::thread left([&journal] { record(journal, 0); });
  std::thread right([&journal] { record(journal, 100); });
  left.join();
  right.join();
  return journal.size() == 4 && journal.transactions() <= 8 ? 0 : 1;
}
