// Results of three calculations in a vector. Each thread writes at a place of its own, with the
// number that its lambda has captured by value.
#include <thread>
#include <vector>

class Calculation {
public:
  explicit Calculation(int seed) : seed_(seed) {}

  int run() const {
    int value = seed_; // NORACE
    for (int i = 0; i < 5; ++i)
      value = value * 3 % 101;
    return value;
  }

private:
  const int seed_;
};

struct Results {
  std::vector<int> values;
  std::vector<char> done;
  std::size_t next = 0;
};

static void store(Results &results, std::size_t index, int value) {
  results.values[index] = value; // NORACE
  results.done[index] = 1;       // NORACE
}

int main() {
  std::vector<Calculation> calculations;
  for (int seed = 2; seed <= 4; ++seed)
    calculations.emplace_back(seed); // NORACE
  Results results;
  results.values.resize(calculations.size()); // NORACE
  results.done.resize(calculations.size());   // NORACE
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < calculations.size(); ++i)
    threads.emplace_back([&calculations, &results, i] {
      int value = calculations[i].run(); // NORACE
      store(results, i, value);
    });
  for (std::thread &thread : threads)
    thread.join();
  int done = 0;
  for (char mark : results.done) // NORACE
    done += mark;
  return done == 3 && results.values[0] == 82 ? 0 : 1; // NORACE
}
