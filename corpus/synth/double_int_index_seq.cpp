#include "double_int_index.h"

int main() {
  DoubleIntIndex index(8), other(8);
  index.addUnsorted(3, 30);
  index.addSorted(4, 40);
  index.addUnique(5, 50);
  index.add(6, 60);
  (void)index.getKey(0);
  (void)index.getValue(0);
  index.setKey(0, 2);
  index.setValue(0, 20);
  (void)index.size();
  (void)index.capacity();
  (void)index.lookup(4);
  (void)index.lookup(9, -1);
  index.setValuesSearchTarget();
  index.setKeysSearchTarget();
  (void)index.findFirstGreaterEqualKeyIndex(3);
  (void)index.findFirstEqualKeyIndex(4);
  index.sort();
  index.copyTo(other);
  (void)index.isSorted();
  (void)index.hasChanged();
  index.remove(0);
  index.removeRange(0, 1);
  index.setSize(1);
  index.clear();
  index.removeAll();
}
