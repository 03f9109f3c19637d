// One function of a library is called from very many places: none of them is forgotten.
// RACY: ADD(0) => BARE(0)
// RACY: ADD(20) => BARE(20)
// RACY: ADD(39) => BARE(39)
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> items;

#define ADD(N)                                                                                     \
  void add##N() {                                                                                  \
    std::lock_guard<std::mutex> guard(mutex);                                                      \
    items.push_back(N);                                                                            \
  }
#define BARE(N)                                                                                    \
  void add##N() { items.push_back(N); }

ADD(0)
ADD(1)
ADD(2)
ADD(3)
ADD(4)
ADD(5)
ADD(6)
ADD(7)
ADD(8)
ADD(9)
ADD(10)
ADD(11)
ADD(12)
ADD(13)
ADD(14)
ADD(15)
ADD(16)
ADD(17)
ADD(18)
ADD(19)
ADD(20)
ADD(21)
ADD(22)
ADD(23)
ADD(24)
ADD(25)
ADD(26)
ADD(27)
ADD(28)
ADD(29)
ADD(30)
ADD(31)
ADD(32)
ADD(33)
ADD(34)
ADD(35)
ADD(36)
ADD(37)
ADD(38)
ADD(39)

void run() {
  add0();
  add1();
  add2();
  add3();
  add4();
  add5();
  add6();
  add7();
  add8();
  add9();
  add10();
  add11();
  add12();
  add13();
  add14();
  add15();
  add16();
  add17();
  add18();
  add19();
  add20();
  add21();
  add22();
  add23();
  add24();
  add25();
  add26();
  add27();
  add28();
  add29();
  add30();
  add31();
  add32();
  add33();
  add34();
  add35();
  add36();
  add37();
  add38();
  add39();
}

int main() {
  std::thread one(run);
  std::thread other(run);
  one.join();
  other.join();
}
