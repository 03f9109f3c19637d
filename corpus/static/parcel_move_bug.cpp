// Parcels that are moved into the thread that delivers them. The sender kept the address of one
// parcel and marks it after it gave it away.
#include <future>
#include <memory>
#include <thread>
#include <vector>

struct Parcel {
  int weight = 0;
  int stamps = 0;
  std::vector<int> scans;
};

static std::unique_ptr<Parcel> pack(int weight) {
  auto parcel = std::make_unique<Parcel>();
  parcel->weight = weight;    // NORACE
  parcel->scans.push_back(0); // NORACE
  return parcel;
}

static std::unique_ptr<Parcel> deliver(std::unique_ptr<Parcel> parcel) {
  parcel->scans.push_back(parcel->weight); // NORACE
  parcel->stamps += 1;                     // RACE!
  return parcel;
}

int main() {
  std::unique_ptr<Parcel> first = pack(3);
  std::unique_ptr<Parcel> second = pack(5);
  Parcel *remembered = first.get();
  second->stamps = 1; // NORACE

  std::packaged_task<std::unique_ptr<Parcel>(std::unique_ptr<Parcel>)> task(deliver);
  std::future<std::unique_ptr<Parcel>> delivered = task.get_future();
  std::thread van(std::move(task), std::move(first));
  std::thread bicycle([parcel = std::move(second)]() mutable {
    std::unique_ptr<Parcel> back = deliver(std::move(parcel));
    back->scans.clear(); // NORACE
  });
  remembered->stamps += 1; // RACE!

  std::unique_ptr<Parcel> back = delivered.get();
  back->weight += 1;                      // NORACE
  std::size_t scans = back->scans.size(); // NORACE
  van.join();
  bicycle.join();
  return scans == 2 && back->stamps <= 2 ? 0 : 1; // NORACE
}
