// Jobs are owned by whoever has their address: two submitters write pointers into a pipe, two
// workers read them, fill in the result and send them to a second pipe. The pipes are all that
// orders them.
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Job {
  std::vector<int> input;
  long result = 0;
};

class Pipe {
public:
  Pipe() {
    int made = ::pipe(ends_);
    assert(made == 0);
  }
  ~Pipe() {
    ::close(ends_[0]);
    closeWriter();
  }

  void send(Job* job) {
    ssize_t sent = ::write(ends_[1], &job, sizeof job);
    assert(sent == sizeof job);
  }

  /// Null when all writers have closed.
  Job* receive() {
    Job* job = nullptr;
    ssize_t got = ::read(ends_[0], &job, sizeof job);
    assert(got == 0 || got == sizeof job);
    return got == 0 ? nullptr : job;
  }

  void closeWriter() {
    if (ends_[1] >= 0)
      ::close(ends_[1]);
    ends_[1] = -1;
  }

private:
  int ends_[2];
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 10000;
  Pipe requests, answers;
  std::vector<std::thread> submitters, workers;
  for (int i = 0; i < 2; ++i)
    submitters.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        Job* job = new Job;
        job->input = {round, round + 1, round + 2};
        requests.send(job);
      }
    });
  for (int i = 0; i < 2; ++i)
    workers.emplace_back([&] {
      while (Job* job = requests.receive()) {
        job->result = std::accumulate(job->input.begin(), job->input.end(), 0L);
        answers.send(job);
      }
    });
  for (int i = 0; i < 2 * rounds; ++i) {
    Job* job = answers.receive();
    assert(job->result == 3L * job->input[1]);
    delete job;
  }
  for (std::thread& submitter : submitters)
    submitter.join();
  requests.closeWriter();
  for (std::thread& worker : workers)
    worker.join();
}
