#include "scanner.h"

int main() {
  Scanner scanner;
  scanner.reset("SELECT 12 + x");
  (void)scanner.scanNext();
  (void)scanner.getString();
  (void)scanner.getTokenType();
  (void)scanner.getPosition();
  scanner.resetState();
  (void)scanner.scanSeparator();
  scanner.scanNumber();
  (void)scanner.getNumber();
  (void)scanner.scanNull();
  scanner.scanSpecial();
  scanner.scanWord();
  scanner.position(7);
  (void)scanner.getLineNumber();
  (void)scanner.wasDelimited();
  (void)scanner.wasMalformed();
  (void)scanner.hadIrregularChar();
  (void)scanner.hadNonSpaceSeparator();
  (void)scanner.getPart(0, 6);
  (void)scanner.getIntervalPrecision();
  (void)scanner.convertToNumber(" 42");
  (void)scanner.convertToBoolean("true");
  (void)scanner.convertToInterval("12", 3);
}
