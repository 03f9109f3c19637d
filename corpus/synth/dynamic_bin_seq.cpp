#include "dynamic_bin.h"

int main() {
  DynamicBin1D bin, other;
  bin.add(2.5);
  bin.addAllOf(other);
  bin.removeAllOf(other);
  (void)bin.correlation(other);
  (void)bin.covariance(other);
  (void)bin.elements();
  (void)bin.equals(other);
  (void)bin.hasSumOfInversions();
  (void)bin.hasSumOfLogarithms();
  (void)bin.isRebinnable();
  (void)bin.getMaxOrderForSumOfPowers();
  (void)bin.max();
  (void)bin.min();
  (void)bin.mean();
  (void)bin.median();
  (void)bin.moment(2, 1.0);
  (void)bin.quantile(0.25);
  (void)bin.quantileInverse(2.0);
  bin.setFixedOrder(true);
  (void)bin.size();
  (void)bin.standardDeviation();
  bin.standardize(0.5, 2.0);
  (void)bin.sum();
  (void)bin.sumOfInversions();
  (void)bin.sumOfLogarithms();
  (void)bin.sumOfPowers(3);
  (void)bin.sumOfSquares();
  bin.trim(0, 0);
  bin.trimToSize();
  bin.clear();
}
