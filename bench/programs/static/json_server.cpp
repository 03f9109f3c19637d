// A server for JSON requests on boost::asio that logs with spdlog: three threads run one
// io_context, connections read lines and answer them, a table of accounts is shared by all.
#include <boost/asio.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using boost::asio::ip::tcp;
using Json = nlohmann::json;

namespace {

class Accounts {
public:
  long deposit(const std::string& name, long amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    return balances_[name] += amount;
  }
  Json all() {
    std::lock_guard<std::mutex> guard(mutex_);
    return Json(balances_);
  }
  long requests = 0;

private:
  std::mutex mutex_;
  std::map<std::string, long> balances_;
};

class Connection : public std::enable_shared_from_this<Connection> {
public:
  Connection(tcp::socket socket, Accounts& accounts)
      : socket_(std::move(socket)), accounts_(accounts) {}

  void read() {
    auto self = shared_from_this();
    boost::asio::async_read_until(socket_, boost::asio::dynamic_buffer(input_), '\n',
                                  [self](boost::system::error_code error, std::size_t length) {
                                    if (!error)
                                      self->answer(length);
                                  });
  }

private:
  void answer(std::size_t length) {
    Json request = Json::parse(input_.substr(0, length), nullptr, false);
    input_.erase(0, length);
    accounts_.requests += 1; // RACE: connections are served by several threads
    Json response;
    if (request.is_discarded()) {
      spdlog::warn("not a document");
      response["error"] = "not a document";
    } else if (request.value("kind", "") == "deposit") {
      long left = accounts_.deposit(request.value("name", ""), request.value("amount", 0L));
      spdlog::info("{} has {}", request.value("name", ""), left);
      response["balance"] = left;
    } else {
      response["accounts"] = accounts_.all();
    }
    output_ = response.dump() + "\n";
    auto self = shared_from_this();
    boost::asio::async_write(socket_, boost::asio::buffer(output_),
                             [self](boost::system::error_code error, std::size_t) {
                               if (!error)
                                 self->read();
                             });
  }

  tcp::socket socket_;
  Accounts& accounts_;
  std::string input_, output_;
};

class Server {
public:
  Server(boost::asio::io_context& context, Accounts& accounts)
      : acceptor_(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
        accounts_(accounts) {}
  unsigned short port() const { return acceptor_.local_endpoint().port(); }
  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error)
        return;
      std::make_shared<Connection>(std::move(socket), accounts_)->read();
      accept();
    });
  }

private:
  tcp::acceptor acceptor_;
  Accounts& accounts_;
};

void talk(unsigned short port, int number) {
  boost::asio::io_context context;
  tcp::socket socket(context);
  socket.connect({boost::asio::ip::address_v4::loopback(), port});
  for (const char* kind : {"deposit", "deposit", "list"}) {
    Json request{{"kind", kind}, {"name", "n" + std::to_string(number)}, {"amount", number}};
    boost::asio::write(socket, boost::asio::buffer(request.dump() + "\n"));
    std::string line;
    boost::asio::read_until(socket, boost::asio::dynamic_buffer(line), '\n');
    spdlog::debug("{}", Json::parse(line).dump(2));
  }
}

} // namespace

int main() {
  spdlog::init_thread_pool(1024, 1);
  std::vector<spdlog::sink_ptr> sinks{std::make_shared<spdlog::sinks::stdout_color_sink_mt>(),
                                      std::make_shared<spdlog::sinks::basic_file_sink_mt>("log")};
  spdlog::set_default_logger(std::make_shared<spdlog::async_logger>(
      "server", sinks.begin(), sinks.end(), spdlog::thread_pool(),
      spdlog::async_overflow_policy::block));
  boost::asio::io_context context;
  Accounts accounts;
  Server server(context, accounts);
  server.accept();
  std::vector<std::thread> threads, clients;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { context.run(); });
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([port = server.port(), i] { talk(port, i); });
  for (std::thread& client : clients)
    client.join();
  context.stop();
  for (std::thread& thread : threads)
    thread.join();
  spdlog::shutdown();
  return accounts.all().size() == 4 ? 0 : 1;
}
