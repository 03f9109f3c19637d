// A pipeline over JSON documents: readers parse, workers transform and encode, a writer collects.
// Everything between them goes through one queue; the totals are what the bug is about.
#include <nlohmann/json.hpp>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

namespace {

template <typename T> class Channel {
public:
  void send(T value) {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.push_back(std::move(value));
    changed_.notify_one();
  }

  void close() {
    std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  std::optional<T> receive() {
    std::unique_lock<std::mutex> guard(mutex_);
    while (values_.empty() && !closed_)
      changed_.wait(guard);
    if (values_.empty())
      return std::nullopt;
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
  bool closed_ = false;
};

struct Totals {
  std::mutex mutex;
  std::map<std::string, long> byKind;
  long bytes = 0;
  long documents = 0;
};

struct Encoded {
  std::string kind;
  std::vector<std::uint8_t> bytes;
};

Encoded encode(const Json& document, unsigned number) {
  switch (number % 5) {
  case 0:
    return {"cbor", Json::to_cbor(document)};
  case 1:
    return {"msgpack", Json::to_msgpack(document)};
  case 2:
    return {"ubjson", Json::to_ubjson(document)};
  case 3:
    return {"bson", Json::to_bson(document)};
  default: {
    std::string text = document.dump(2);
    return {"text", {text.begin(), text.end()}};
  }
  }
}

Json decode(const Encoded& encoded) {
  if (encoded.kind == "cbor")
    return Json::from_cbor(encoded.bytes);
  if (encoded.kind == "msgpack")
    return Json::from_msgpack(encoded.bytes);
  if (encoded.kind == "ubjson")
    return Json::from_ubjson(encoded.bytes);
  if (encoded.kind == "bson")
    return Json::from_bson(encoded.bytes);
  return Json::parse(encoded.bytes.begin(), encoded.bytes.end());
}

Json transform(const Json& document) {
  Json patch = Json::parse(R"([{"op": "add", "path": "/seen", "value": true}])");
  Json result = document.patch(patch);
  Json flat = result.flatten();
  result = flat.unflatten();
  result.merge_patch(Json{{"size", result.size()}, {"tags", {"a", "b", 3, 4.5, nullptr}}});
  Json difference = Json::diff(document, result);
  result["changes"] = difference.size();
  OrderedJson ordered = OrderedJson::parse(result.dump());
  result["ordered"] = ordered.dump().size();
  return result;
}

void work(Channel<std::string>& input, Channel<Encoded>& output, Totals& totals, unsigned number) {
  while (auto text = input.receive()) {
    Encoded encoded = encode(transform(Json::parse(*text)), number);
    totals.documents = totals.documents + 1; // RACE
    {
      std::lock_guard<std::mutex> guard(totals.mutex);
      totals.byKind[encoded.kind] += 1;
      totals.bytes += static_cast<long>(encoded.bytes.size());
    }
    output.send(std::move(encoded));
  }
}

} // namespace

int main() {
  Channel<std::string> input;
  Channel<Encoded> output;
  Totals totals;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < 5; ++i)
    workers.emplace_back([&, i] { work(input, output, totals, i); });
  for (int i = 0; i < 100; ++i)
    input.send(R"({"name": "n", "values": [1, 2, 3], "nested": {"deep": )" + std::to_string(i) +
               "}}");
  input.close();
  for (std::thread& worker : workers)
    worker.join();
  output.close();
  long decoded = 0;
  while (auto encoded = output.receive())
    decoded += static_cast<long>(decode(*encoded).size());
  return totals.documents == 100 && decoded > 0 && totals.bytes > 0 ? 0 : 1;
}
