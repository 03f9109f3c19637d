#pragma once
// After org.hsqldb.Scanner of HSQLDB 2.3.2: conversions lock, and use the fields that everything
// else changes without the lock; reset() sets many of them to constants.
#include <cctype>
#include <mutex>
#include <string>

class Scanner {
public:
  Scanner()
      : limit_(0), currentPosition_(0), tokenPosition_(0), tokenType_(0), lineNumber_(1),
        eolPosition_(-1), isDelimited_(false), isMalformed_(false), hasIrregularChar_(false),
        hasNonSpaceSeparator_(false), number_(0), intervalPrecision_(0), fraction_(0) {}

  void reset(const std::string& sql) {
    sqlString_ = sql;
    limit_ = static_cast<int>(sql.size());
    currentPosition_ = 0;
    tokenPosition_ = 0;
    tokenType_ = 0;
    lineNumber_ = 1;
    eolPosition_ = -1;
    isDelimited_ = false;
    isMalformed_ = false;
    hasIrregularChar_ = false;
    hasNonSpaceSeparator_ = false;
    number_ = 0;
    intervalPrecision_ = 0;
    fraction_ = 0;
  }
  void resetState() {
    tokenPosition_ = currentPosition_;
    tokenType_ = 0;
    isDelimited_ = false;
    isMalformed_ = false;
  }
  bool scanNext() {
    resetState();
    scanSeparator();
    if (currentPosition_ >= limit_)
      return false;
    tokenPosition_ = currentPosition_;
    int c = charAt(currentPosition_);
    if (std::isdigit(c))
      scanNumber();
    else if (std::isalpha(c))
      scanWord();
    else
      scanSpecial();
    return true;
  }
  bool scanSeparator() {
    bool any = false;
    while (currentPosition_ < limit_ && std::isspace(charAt(currentPosition_))) {
      any = true;
      if (charAt(currentPosition_) == '\n') {
        ++lineNumber_;
        eolPosition_ = currentPosition_;
      }
      hasNonSpaceSeparator_ |= charAt(currentPosition_) != ' ';
      ++currentPosition_;
    }
    return any;
  }
  void scanWord() {
    while (currentPosition_ < limit_ && std::isalnum(charAt(currentPosition_)))
      ++currentPosition_;
    tokenType_ = 1;
  }
  void scanNumber() {
    number_ = 0;
    while (currentPosition_ < limit_ && std::isdigit(charAt(currentPosition_)))
      number_ = number_ * 10 + (charAt(currentPosition_++) - '0');
    tokenType_ = 2;
  }
  void scanSpecial() {
    hasIrregularChar_ = !std::ispunct(charAt(currentPosition_));
    ++currentPosition_;
    tokenType_ = 3;
  }
  bool scanNull() {
    scanSeparator();
    return currentPosition_ < limit_ && charAt(currentPosition_) == 'N';
  }
  std::string getString() const {
    return sqlString_.substr(static_cast<size_t>(tokenPosition_),
                             static_cast<size_t>(currentPosition_ - tokenPosition_));
  }
  int getTokenType() const { return tokenType_; }
  int getPosition() const { return tokenPosition_; }
  void position(int position) { currentPosition_ = tokenPosition_ = position; }
  int getLineNumber() const { return lineNumber_; }
  long getNumber() const { return number_; }
  bool wasDelimited() const { return isDelimited_; }
  bool wasMalformed() const { return isMalformed_; }
  bool hadIrregularChar() const { return hasIrregularChar_; }
  bool hadNonSpaceSeparator() const { return hasNonSpaceSeparator_; }
  std::string getPart(int start, int end) const {
    return sqlString_.substr(static_cast<size_t>(start), static_cast<size_t>(end - start));
  }
  int getIntervalPrecision() const { return intervalPrecision_; }
  long convertToNumber(const std::string& text) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    reset(text);
    scanSeparator();
    scanNumber();
    return number_;
  }
  bool convertToBoolean(const std::string& text) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    reset(text);
    return scanNext() && getString() == "true";
  }
  long convertToInterval(const std::string& text, int precision) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    reset(text);
    intervalPrecision_ = precision;
    scanNumber();
    fraction_ = number_ % 10;
    return number_ * precision;
  }

private:
  int charAt(int i) const { return static_cast<unsigned char>(sqlString_[static_cast<size_t>(i)]); }

  mutable std::recursive_mutex mutex_;
  std::string sqlString_;
  int limit_;
  int currentPosition_;
  int tokenPosition_;
  int tokenType_;
  int lineNumber_;
  int eolPosition_;
  bool isDelimited_;
  bool isMalformed_;
  bool hasIrregularChar_;
  bool hasNonSpaceSeparator_;
  long number_;
  int intervalPrecision_;
  long fraction_;
};
