// Compiled without heddle.
struct Plain {
  int get(int i) const;
};

int table[4];
int Plain::get(int i) const { return table[i]; }
inline int both(int i) { return table[i] + 1; }
int (*chosen)(int) = both;

int plainSum(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += Plain().get(i) + chosen(i);
  return sum;
}
