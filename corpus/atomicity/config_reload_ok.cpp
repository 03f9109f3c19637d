// heddle-corpus: long=-DSTEPS=1000
// A configuration with a host and a port, each behind a locked accessor. A client asks for the host
// and then for the port, a reload sets the port and then the host, and both keep the lock of the
// configuration from one to the other.
#include <atomic>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Meter {
public:
  void count(int steps) {
    for (int i = 0; i < steps; ++i)
      steps_.fetch_add(1);
  }

private:
  std::atomic<int> steps_{0};
};

static Meter clientMeter, reloadMeter;

class Configuration {
public:
  int host() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return host_; // NOVIOLATION
  }

  int port() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return port_; // NOVIOLATION
  }

  void setHost(int host) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    host_ = host; // NOVIOLATION
  }

  void setPort(int port) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    port_ = port; // NOVIOLATION
  }

  std::recursive_mutex &mutex() const { return mutex_; }

private:
  mutable std::recursive_mutex mutex_;
  int host_ = 1;
  int port_ = 8001;
};

struct Endpoint {
  int host;
  int port;
};

static Endpoint endpointOf(const Configuration &configuration) {
  std::lock_guard<std::recursive_mutex> guard(configuration.mutex());
  Endpoint endpoint;
  endpoint.host = configuration.host();
  clientMeter.count(STEPS);
  endpoint.port = configuration.port();
  return endpoint;
}

static void reload(Configuration &configuration, int host) {
  std::lock_guard<std::recursive_mutex> guard(configuration.mutex());
  configuration.setPort(8000 + host);
  configuration.setHost(host);
}

int main() {
  Configuration configuration;
  Endpoint endpoint{};
  std::thread client([&] {
    clientMeter.count(STEPS + STEPS / 16);
    endpoint = endpointOf(configuration);
  });
  std::thread signal([&] {
    reloadMeter.count(STEPS);
    reload(configuration, 2);
  });
  client.join();
  signal.join();
  return endpoint.port == 8000 + endpoint.host ? 0 : 1;
}
