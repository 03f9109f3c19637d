// A web service: cpp-httplib's server with its own pool of threads, clients in threads, documents
// in nlohmann::json, kept in a store that all handlers share.
#include <httplib.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

using nlohmann::json;

namespace {

struct Item {
  int id = 0;
  std::string name;
  std::vector<std::string> tags;
};

void to_json(json& out, const Item& item) {
  out = json{{"id", item.id}, {"name", item.name}, {"tags", item.tags}};
}

void from_json(const json& in, Item& item) {
  in.at("id").get_to(item.id);
  in.at("name").get_to(item.name);
  in.at("tags").get_to(item.tags);
}

class Store {
public:
  void put(Item item) {
    std::unique_lock<std::shared_mutex> guard(mutex_);
    items_[item.id] = std::make_shared<Item>(std::move(item));
  }
  std::shared_ptr<const Item> get(int id) const {
    std::shared_lock<std::shared_mutex> guard(mutex_);
    auto found = items_.find(id);
    return found == items_.end() ? nullptr : found->second;
  }
  json all() const {
    std::shared_lock<std::shared_mutex> guard(mutex_);
    json list = json::array();
    for (const auto& [id, item] : items_)
      list.push_back(*item);
    return list;
  }
  long requests = 0;

private:
  mutable std::shared_mutex mutex_;
  std::map<int, std::shared_ptr<Item>> items_;
};

void install(httplib::Server& server, Store& store) {
  server.Get("/items", [&store](const httplib::Request&, httplib::Response& response) {
    ++store.requests; // RACE: handlers in several threads
    response.set_content(store.all().dump(2), "application/json");
  });
  server.Get(R"(/items/(\d+))",
             [&store](const httplib::Request& request, httplib::Response& response) {
               ++store.requests; // RACE: handlers in several threads
               auto item = store.get(std::stoi(request.matches[1]));
               if (!item) {
                 response.status = 404;
                 return;
               }
               response.set_content(json(*item).dump(), "application/json");
             });
  server.Post("/items", [&store](const httplib::Request& request, httplib::Response& response) {
    ++store.requests; // RACE: handlers in several threads
    json document = json::parse(request.body, nullptr, false);
    if (document.is_discarded()) {
      response.status = 400;
      return;
    }
    store.put(document.get<Item>());
    response.set_content(json{{"ok", true}}.dump(), "application/json");
  });
  server.set_logger([](const httplib::Request&, const httplib::Response&) {});
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    response.set_content(json{{"status", response.status}}.dump(), "application/json");
  });
}

size_t visit(int port, int number) {
  httplib::Client client("127.0.0.1", port);
  client.set_read_timeout(5, 0);
  Item item{number, "item " + std::to_string(number), {"new", "test"}};
  auto posted = client.Post("/items", json(item).dump(), "application/json");
  auto one = client.Get("/items/" + std::to_string(number));
  auto all = client.Get("/items");
  if (!posted || !one || !all)
    return 0;
  json document = json::parse(all->body);
  json patch = json::diff(document, json::parse("[" + one->body + "]"));
  std::vector<uint8_t> packed = json::to_cbor(document);
  return json::from_cbor(packed).size() + patch.size();
}

} // namespace

int main() {
  Store store;
  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(4); };
  install(server, store);
  int port = server.bind_to_any_port("127.0.0.1");
  std::thread listener([&server] { server.listen_after_bind(); });
  std::mutex mutex;
  size_t total = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([i, port, &mutex, &total] {
      size_t seen = visit(port, i);
      std::lock_guard<std::mutex> guard(mutex);
      total += seen;
    });
  for (std::thread& each : clients)
    each.join();
  server.stop();
  listener.join();
  return total > 0 ? 0 : 1;
}
