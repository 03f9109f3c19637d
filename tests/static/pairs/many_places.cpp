// One function of a library is called from very many places: none of them is forgotten.
// RACY: void add0() { Guard guard(mutex); => void add0() {
// RACY: void add20() { Guard guard(mutex); => void add20() {
// RACY: void add39() { Guard guard(mutex); => void add39() {
#include <mutex>
#include <thread>
#include <vector>

using Guard = std::lock_guard<std::mutex>;
std::mutex mutex;
std::vector<int> items;

void add0() {
  Guard guard(mutex);
  items.push_back(0);
}
void add1() {
  Guard guard(mutex);
  items.push_back(1);
}
void add2() {
  Guard guard(mutex);
  items.push_back(2);
}
void add3() {
  Guard guard(mutex);
  items.push_back(3);
}
void add4() {
  Guard guard(mutex);
  items.push_back(4);
}
void add5() {
  Guard guard(mutex);
  items.push_back(5);
}
void add6() {
  Guard guard(mutex);
  items.push_back(6);
}
void add7() {
  Guard guard(mutex);
  items.push_back(7);
}
void add8() {
  Guard guard(mutex);
  items.push_back(8);
}
void add9() {
  Guard guard(mutex);
  items.push_back(9);
}
void add10() {
  Guard guard(mutex);
  items.push_back(10);
}
void add11() {
  Guard guard(mutex);
  items.push_back(11);
}
void add12() {
  Guard guard(mutex);
  items.push_back(12);
}
void add13() {
  Guard guard(mutex);
  items.push_back(13);
}
void add14() {
  Guard guard(mutex);
  items.push_back(14);
}
void add15() {
  Guard guard(mutex);
  items.push_back(15);
}
void add16() {
  Guard guard(mutex);
  items.push_back(16);
}
void add17() {
  Guard guard(mutex);
  items.push_back(17);
}
void add18() {
  Guard guard(mutex);
  items.push_back(18);
}
void add19() {
  Guard guard(mutex);
  items.push_back(19);
}
void add20() {
  Guard guard(mutex);
  items.push_back(20);
}
void add21() {
  Guard guard(mutex);
  items.push_back(21);
}
void add22() {
  Guard guard(mutex);
  items.push_back(22);
}
void add23() {
  Guard guard(mutex);
  items.push_back(23);
}
void add24() {
  Guard guard(mutex);
  items.push_back(24);
}
void add25() {
  Guard guard(mutex);
  items.push_back(25);
}
void add26() {
  Guard guard(mutex);
  items.push_back(26);
}
void add27() {
  Guard guard(mutex);
  items.push_back(27);
}
void add28() {
  Guard guard(mutex);
  items.push_back(28);
}
void add29() {
  Guard guard(mutex);
  items.push_back(29);
}
void add30() {
  Guard guard(mutex);
  items.push_back(30);
}
void add31() {
  Guard guard(mutex);
  items.push_back(31);
}
void add32() {
  Guard guard(mutex);
  items.push_back(32);
}
void add33() {
  Guard guard(mutex);
  items.push_back(33);
}
void add34() {
  Guard guard(mutex);
  items.push_back(34);
}
void add35() {
  Guard guard(mutex);
  items.push_back(35);
}
void add36() {
  Guard guard(mutex);
  items.push_back(36);
}
void add37() {
  Guard guard(mutex);
  items.push_back(37);
}
void add38() {
  Guard guard(mutex);
  items.push_back(38);
}
void add39() {
  Guard guard(mutex);
  items.push_back(39);
}

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
