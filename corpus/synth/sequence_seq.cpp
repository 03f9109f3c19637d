#include "sequence.h"

int main() {
  Sequence sequence(1, 2);
  (void)Sequence::isValid(1, 1, 9, 1);
  (void)Sequence::getDefaultMinValue(1, 1);
  (void)Sequence::getDefaultMaxValue(1, 1);
  sequence.modify(5, 1, 100, 2);
  (void)sequence.getIncrement();
  (void)sequence.getMinValue();
  (void)sequence.getMaxValue();
  (void)sequence.getCycle();
  sequence.setCycle(true);
  sequence.setCacheSize(4);
  (void)sequence.getCacheSize();
  (void)sequence.getNext();
  (void)sequence.getCurrentValue();
  sequence.setBelongsToTable(true);
  (void)sequence.getBelongsToTable();
  sequence.flushWithoutMargin();
  sequence.flush();
  sequence.close();
}
