#pragma once
// After hep.aida.bin.DynamicBin1D of Colt 1.2.0: every method locks its own bin, and those that
// take another bin look into it without its lock.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

class DynamicBin1D {
public:
  DynamicBin1D()
      : fixedOrder_(false), isSorted_(true), isIncrementalStatValid_(true),
        isSumOfInversionsValid_(true), isSumOfLogarithmsValid_(true), min_(0), max_(0), sum_(0),
        sumOfSquares_(0), sumOfInversions_(0), sumOfLogarithms_(0) {}

  void add(double element) {
    Guard guard(lock_);
    elements_.push_back(element);
    invalidateAll();
  }
  void addAllOf(const DynamicBin1D& other) {
    Guard guard(lock_);
    for (double one : other.elements_)
      elements_.push_back(one);
    invalidateAll();
  }
  void removeAllOf(const DynamicBin1D& other) {
    Guard guard(lock_);
    for (double one : other.elements_)
      elements_.erase(std::remove(elements_.begin(), elements_.end(), one), elements_.end());
    invalidateAll();
  }
  void clear() {
    Guard guard(lock_);
    elements_.clear();
    sortedElements_.clear();
    validateAll();
    min_ = max_ = sum_ = sumOfSquares_ = 0;
  }
  double correlation(const DynamicBin1D& other) {
    Guard guard(lock_);
    double deviations = standardDeviation() * const_cast<DynamicBin1D&>(other).standardDeviation();
    return deviations == 0 ? 0 : covariance(other) / deviations;
  }
  double covariance(const DynamicBin1D& other) {
    Guard guard(lock_);
    if (elements_.empty() || other.elements_.size() != elements_.size())
      return 0;
    double sum = 0, ofOther = 0, products = 0;
    for (size_t i = 0; i < elements_.size(); ++i) {
      sum += elements_[i];
      ofOther += other.elements_[i];
      products += elements_[i] * other.elements_[i];
    }
    double count = static_cast<double>(elements_.size());
    return (products - sum * ofOther / count) / count;
  }
  std::vector<double> elements() const {
    Guard guard(lock_);
    return elements_;
  }
  bool equals(const DynamicBin1D& other) {
    Guard guard(lock_);
    return elements_ == other.elements_;
  }
  bool hasSumOfInversions() const { return true; }
  bool hasSumOfLogarithms() const { return true; }
  bool isRebinnable() const {
    Guard guard(lock_);
    return true;
  }
  int getMaxOrderForSumOfPowers() const { return 1 << 20; }
  double max() {
    Guard guard(lock_);
    updateIncrementalStats();
    return max_;
  }
  double min() {
    Guard guard(lock_);
    updateIncrementalStats();
    return min_;
  }
  double mean() {
    Guard guard(lock_);
    return elements_.empty() ? 0 : sum() / static_cast<double>(elements_.size());
  }
  double median() {
    Guard guard(lock_);
    return quantile(0.5);
  }
  double moment(int k, double c) {
    Guard guard(lock_);
    double all = 0;
    for (double one : elements_)
      all += std::pow(one - c, k);
    return elements_.empty() ? 0 : all / static_cast<double>(elements_.size());
  }
  double quantile(double phi) {
    Guard guard(lock_);
    sort();
    if (sortedElements_.empty())
      return 0;
    return sortedElements_[static_cast<size_t>(phi *
                                               static_cast<double>(sortedElements_.size() - 1))];
  }
  double quantileInverse(double element) {
    Guard guard(lock_);
    sort();
    size_t below = 0;
    while (below < sortedElements_.size() && sortedElements_[below] <= element)
      ++below;
    return sortedElements_.empty()
               ? 0
               : static_cast<double>(below) / static_cast<double>(sortedElements_.size());
  }
  void setFixedOrder(bool fixedOrder) { fixedOrder_ = fixedOrder; }
  int size() const {
    Guard guard(lock_);
    return static_cast<int>(elements_.size());
  }
  double standardDeviation() {
    Guard guard(lock_);
    return std::sqrt(moment(2, mean()));
  }
  void standardize(double mean, double deviation) {
    Guard guard(lock_);
    for (double& one : elements_)
      one = (one - mean) / deviation;
    invalidateAll();
  }
  double sum() {
    Guard guard(lock_);
    updateIncrementalStats();
    return sum_;
  }
  double sumOfInversions() {
    Guard guard(lock_);
    if (!isSumOfInversionsValid_) {
      sumOfInversions_ = 0;
      for (double one : elements_)
        sumOfInversions_ += 1 / one;
      isSumOfInversionsValid_ = true;
    }
    return sumOfInversions_;
  }
  double sumOfLogarithms() {
    Guard guard(lock_);
    if (!isSumOfLogarithmsValid_) {
      sumOfLogarithms_ = 0;
      for (double one : elements_)
        sumOfLogarithms_ += std::log(one);
      isSumOfLogarithmsValid_ = true;
    }
    return sumOfLogarithms_;
  }
  double sumOfPowers(int k) {
    Guard guard(lock_);
    double all = 0;
    for (double one : elements_)
      all += std::pow(one, k);
    return all;
  }
  double sumOfSquares() {
    Guard guard(lock_);
    updateIncrementalStats();
    return sumOfSquares_;
  }
  void trim(int s, int l) {
    Guard guard(lock_);
    sort();
    std::vector<double> kept;
    for (size_t i = static_cast<size_t>(s); i + static_cast<size_t>(l) < sortedElements_.size();
         ++i)
      kept.push_back(sortedElements_[i]);
    elements_ = kept;
    invalidateAll();
  }
  void trimToSize() {
    Guard guard(lock_);
    elements_.shrink_to_fit();
  }

private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  void invalidateAll() {
    isSorted_ = isIncrementalStatValid_ = false;
    isSumOfInversionsValid_ = isSumOfLogarithmsValid_ = false;
  }
  void validateAll() {
    isSorted_ = isIncrementalStatValid_ = true;
    isSumOfInversionsValid_ = isSumOfLogarithmsValid_ = true;
  }
  void sort() {
    if (isSorted_)
      return;
    sortedElements_ = elements_;
    std::sort(sortedElements_.begin(), sortedElements_.end());
    isSorted_ = true;
  }
  void updateIncrementalStats() {
    if (isIncrementalStatValid_)
      return;
    min_ = max_ = elements_.empty() ? 0 : elements_[0];
    sum_ = sumOfSquares_ = 0;
    for (double one : elements_) {
      min_ = std::min(min_, one);
      max_ = std::max(max_, one);
      sum_ += one;
      sumOfSquares_ += one * one;
    }
    isIncrementalStatValid_ = true;
  }

  mutable std::recursive_mutex lock_;
  std::vector<double> elements_;
  std::vector<double> sortedElements_;
  bool fixedOrder_;
  bool isSorted_;
  bool isIncrementalStatValid_;
  bool isSumOfInversionsValid_;
  bool isSumOfLogarithmsValid_;
  double min_;
  double max_;
  double sum_;
  double sumOfSquares_;
  double sumOfInversions_;
  double sumOfLogarithms_;
};
