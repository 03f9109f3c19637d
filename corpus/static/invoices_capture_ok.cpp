// Invoices that are summed by two threads, each with a lambda. The lambdas have copies of the
// discount, which main changes for the next customer, and a reference to their own result.
#include <thread>
#include <vector>

struct Invoice {
  int pieces;
  int price;
};

static int sum(const std::vector<Invoice> &invoices, int discount) {
  int total = 0;
  for (const Invoice &invoice : invoices)               // NORACE
    total += invoice.pieces * invoice.price - discount; // NORACE
  return total;
}

static std::vector<Invoice> makeInvoices(int count) {
  std::vector<Invoice> invoices;
  for (int i = 1; i <= count; ++i)
    invoices.push_back({i, 10}); // NORACE
  return invoices;
}

int main() {
  const std::vector<Invoice> spring = makeInvoices(3);
  std::vector<Invoice> autumn = makeInvoices(4);
  int discount = 1;
  int springTotal = 0;
  int autumnTotal = 0;

  std::thread first([&spring, &springTotal, discount] {
    springTotal = sum(spring, discount); // NORACE
  });
  discount = 2; // NORACE
  std::thread second([autumn = std::move(autumn), &autumnTotal, discount] {
    autumnTotal = sum(autumn, discount); // NORACE
  });
  first.join();
  second.join();
  return springTotal >= 54 && autumnTotal == 92 ? 0 : 1; // NORACE
}
