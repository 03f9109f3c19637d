// Two ledgers, each with a mutex for the accounts and one for the journal, which are taken in both
// orders. A third mutex, the gate, is held around both orders, so only one thread at a time is
// between its first and its second mutex, and nobody can wait for the other.
#include <cassert>
#include <mutex>
#include <thread>

class Ledger {
public:
  void post(int amount) {
    std::lock_guard<std::mutex> gate(gate_);
    std::lock_guard<std::mutex> accounts(accountsMutex_);
    balance_ += amount;
    std::lock_guard<std::mutex> journal(journalMutex_);
    journalTotal_ += amount;
  }

  void reconcile() {
    std::lock_guard<std::mutex> gate(gate_);
    std::lock_guard<std::mutex> journal(journalMutex_);
    int total = journalTotal_;
    std::lock_guard<std::mutex> accounts(accountsMutex_);
    assert(balance_ == total);
  }

  int balance() {
    std::lock_guard<std::mutex> accounts(accountsMutex_);
    return balance_;
  }

private:
  std::mutex gate_;
  std::mutex accountsMutex_;
  std::mutex journalMutex_;
  int balance_ = 0;
  int journalTotal_ = 0;
};

int main() {
  Ledger euros;
  Ledger dollars;
  std::thread sales([&] {
    euros.post(120);
    dollars.post(80);
  });
  std::thread purchases([&] {
    dollars.post(-30);
    euros.post(-45);
  });
  std::thread internalAudit([&] {
    euros.reconcile();
    dollars.reconcile();
  });
  std::thread externalAudit([&] {
    dollars.reconcile();
    euros.reconcile();
  });
  sales.join();
  purchases.join();
  internalAudit.join();
  externalAudit.join();
  assert(euros.balance() == 75 && dollars.balance() == 50);
}
