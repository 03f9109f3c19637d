// An echo server and its clients on boost::asio: several threads run one io_context, sessions are
// kept on strands, timers watch them, a pool computes checksums.
#include <boost/asio.hpp>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

using boost::asio::ip::tcp;

namespace {

class Session;

/// Who is connected, and what they have sent.
class Hub {
public:
  void join(std::shared_ptr<Session> session) {
    std::lock_guard<std::mutex> guard(mutex_);
    sessions_.insert(std::move(session));
  }
  void leave(const std::shared_ptr<Session>& session) {
    std::lock_guard<std::mutex> guard(mutex_);
    sessions_.erase(session);
  }
  void count(size_t bytes) {
    std::lock_guard<std::mutex> guard(mutex_);
    bytes_ += bytes;
  }
  size_t bytes() {
    std::lock_guard<std::mutex> guard(mutex_);
    return bytes_;
  }
  long messages = 0;

private:
  std::mutex mutex_;
  std::set<std::shared_ptr<Session>> sessions_;
  size_t bytes_ = 0;
};

class Session : public std::enable_shared_from_this<Session> {
public:
  Session(tcp::socket socket, Hub& hub)
      : socket_(std::move(socket)), strand_(boost::asio::make_strand(socket_.get_executor())),
        timer_(socket_.get_executor()), hub_(hub) {}

  void start() {
    hub_.join(shared_from_this());
    watch();
    read();
  }

private:
  void watch() {
    timer_.expires_after(std::chrono::seconds(5));
    timer_.async_wait(boost::asio::bind_executor(
        strand_, [self = shared_from_this()](const boost::system::error_code& error) {
          if (!error)
            self->close();
        }));
  }

  void read() {
    socket_.async_read_some(boost::asio::buffer(data_),
                            boost::asio::bind_executor(
                                strand_, [self = shared_from_this()](
                                             const boost::system::error_code& error, size_t size) {
                                  if (error)
                                    return self->close();
                                  self->hub_.messages++; // RACE: handlers of all sessions
                                  self->hub_.count(size);
                                  self->write(std::string(self->data_.data(), size));
                                }));
  }

  void write(std::string text) {
    pending_.push_back(std::move(text));
    if (pending_.size() > 1)
      return;
    writeNext();
  }

  void writeNext() {
    boost::asio::async_write(
        socket_, boost::asio::buffer(pending_.front()),
        boost::asio::bind_executor(
            strand_, [self = shared_from_this()](const boost::system::error_code& error, size_t) {
              if (error)
                return self->close();
              self->pending_.pop_front();
              if (!self->pending_.empty())
                self->writeNext();
              else
                self->read();
            }));
  }

  void close() {
    boost::system::error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
    hub_.leave(shared_from_this());
  }

  tcp::socket socket_;
  boost::asio::strand<tcp::socket::executor_type> strand_;
  boost::asio::steady_timer timer_;
  Hub& hub_;
  std::array<char, 1024> data_{};
  std::deque<std::string> pending_;
};

class Server {
public:
  Server(boost::asio::io_context& context, Hub& hub)
      : acceptor_(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)), hub_(hub) {
    accept();
  }
  unsigned short port() const { return acceptor_.local_endpoint().port(); }
  void stop() {
    boost::asio::post(acceptor_.get_executor(), [this] { acceptor_.close(); });
  }

private:
  void accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (error)
        return;
      std::make_shared<Session>(std::move(socket), hub_)->start();
      accept();
    });
  }
  tcp::acceptor acceptor_;
  Hub& hub_;
};

void client(unsigned short port, const std::string& text, std::atomic<int>& left) {
  boost::asio::io_context context;
  tcp::resolver resolver(context);
  tcp::socket socket(context);
  boost::asio::connect(socket, resolver.resolve("127.0.0.1", std::to_string(port)));
  boost::asio::streambuf answer;
  boost::asio::write(socket, boost::asio::buffer(text + "\n"));
  boost::asio::read_until(socket, answer, '\n');
  --left;
}

} // namespace

int main() {
  Hub hub;
  boost::asio::io_context context;
  auto keep = boost::asio::make_work_guard(context);
  Server server(context, hub);
  boost::asio::thread_pool pool(2);
  boost::asio::signal_set signals(context, SIGTERM);
  signals.async_wait([&](const boost::system::error_code&, int) { context.stop(); });

  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&context] { context.run(); });

  std::atomic<int> left{4};
  for (int i = 0; i < 4; ++i)
    boost::asio::post(pool, [&, i] { client(server.port(), "hello " + std::to_string(i), left); });
  std::function<size_t(const std::string&)> checksum = [](const std::string& text) {
    size_t sum = 0;
    for (char c : text)
      sum = sum * 31 + static_cast<unsigned char>(c);
    return sum;
  };
  auto result =
      boost::asio::post(pool, boost::asio::use_future([checksum] { return checksum("abc"); }));
  size_t sum = result.get();
  pool.join();
  server.stop();
  signals.cancel();
  keep.reset();
  context.stop();
  for (std::thread& thread : threads)
    thread.join();
  return hub.bytes() > 0 && sum > 0 && hub.messages > 0 ? 0 : 1;
}
