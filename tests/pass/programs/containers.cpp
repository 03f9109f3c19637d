// Loops over containers, each picked by name: what a program costs when nobody looks at it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Shape {
  virtual long area(long x) = 0;
  virtual ~Shape() = default;
};
struct Square : Shape {
  long side = 3;
  long area(long x) override { return side * x; }
};

__attribute__((noinline)) long vectorSum(const std::vector<int>& v) {
  long sum = 0;
  for (size_t i = 0; i < v.size(); ++i)
    sum += v[i];
  return sum;
}
__attribute__((noinline)) long mapInserts(int n) {
  std::map<int, int> map;
  for (int i = 0; i < n; ++i)
    map[i * 7919 % n] = i;
  long sum = 0;
  for (auto& [key, value] : map)
    sum += key ^ value;
  return sum;
}
__attribute__((noinline)) long hashInserts(int n) {
  std::unordered_map<int, int> map;
  for (int i = 0; i < n; ++i)
    map[i * 7919 % n] += i;
  return static_cast<long>(map.size());
}
__attribute__((noinline)) long stringBuild(int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text.push_back(static_cast<char>('a' + i % 26));
  long hash = 0;
  for (char c : text)
    hash = hash * 31 + c;
  return hash;
}
__attribute__((noinline)) long virtualCalls(Shape& shape, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += shape.area(i);
  return sum;
}

int main(int argc, char** argv) {
  std::string which = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? std::atoi(argv[2]) : 20000;
  std::vector<int> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<int>(i * 2654435761u);
  long result = 0;
  if (which == "vector")
    for (int i = 0; i < 50; ++i) {
      asm volatile("" ::: "memory");
      result += vectorSum(v);
    }
  if (which == "sort")
    std::sort(v.begin(), v.end());
  if (which == "map")
    result = mapInserts(n);
  if (which == "unordered_map")
    result = hashInserts(n);
  if (which == "string")
    result = stringBuild(n * 10);
  Square square;
  Shape* shape = &square;
  asm volatile("" : "+r"(shape));
  if (which == "virtual")
    result = virtualCalls(*shape, n * 10);
  std::printf("%ld\n", result + v[0]);
}
