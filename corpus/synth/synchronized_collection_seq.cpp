#include "synchronized_collection.h"

int main() {
  ArrayCollection inner, other;
  SynchronizedCollection all(inner);
  all.add(3);
  (void)all.isEmpty();
  (void)all.size();
  (void)all.contains(3);
  (void)all.toArray();
  (void)all.iterator();
  (void)all.toString();
  (void)all.addAll(other);
  (void)all.containsAll(other);
  (void)all.removeAll(other);
  (void)all.remove(4);
  (void)all.retainAll(other);
  all.clear();
}
