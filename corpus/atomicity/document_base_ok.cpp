// heddle-corpus: long=-DSTEPS=1000
// A document counts its words; the number of its revision is in the base class. Every method is
// locked, and a summary takes the revision from the base and the words from the derived class in
// one critical section.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Meter {
public:
  void count(int steps) {
    for (int i = 0; i < steps; ++i)
      steps_.fetch_add(1);
  }

private:
  std::atomic<int> steps_{0};
};

static Meter readerMeter, writerMeter;

class Revisioned {
public:
  int revision() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return revision_; // NOVIOLATION
  }

protected:
  void revise() { revision_ = revision_ + 1; } // NOVIOLATION

  mutable std::recursive_mutex mutex_;

private:
  int revision_ = 1;
};

struct Summary {
  int revision;
  int words;
};

class Document : public Revisioned {
public:
  explicit Document(int words) : words_(words) {}

  int words() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return words_; // NOVIOLATION
  }

  void replace(int words) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    words_ = words; // NOVIOLATION
    revise();
  }

  Summary summarize() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    Summary summary;
    summary.revision = revision();
    readerMeter.count(STEPS);
    summary.words = words();
    return summary;
  }

private:
  int words_;
};

int main() {
  Document document(300);
  std::thread reader([&] {
    readerMeter.count(STEPS + STEPS / 16);
    Summary summary = document.summarize();
    assert(summary.words == (summary.revision == 1 ? 300 : 450));
  });
  std::thread writer([&] {
    writerMeter.count(STEPS);
    document.replace(450);
  });
  reader.join();
  writer.join();
}
