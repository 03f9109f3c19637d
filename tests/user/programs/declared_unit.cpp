/// Units that somebody declares: functions without objects of their own that reach a meter in ways
/// that no heuristic follows. The meter's two members are read apart in each. Nothing fails.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

struct Meter {
  std::mutex mutex;
  int volts = 0, amperes = 0;

  void set(int value) {
    std::lock_guard guard(mutex);
    volts = value;
    amperes = value;
  }
  int readVolts() {
    std::lock_guard guard(mutex);
    return volts;
  }
  int readAmperes() {
    std::lock_guard guard(mutex);
    return amperes;
  }
};

#ifdef DECLARED
#define UNIT HEDDLE_UNIT
#else
#define UNIT
#endif

struct Panel {
  Meter* meter;
};

static Meter& theMeter() {
  static Meter meter;
  return meter;
}

/// The functions that it calls get the meter.
UNIT int power() { return theMeter().readVolts() * theMeter().readAmperes(); }

/// It reaches the meter itself, behind a pointer of an object that it does get.
UNIT int difference(Panel& panel) {
  Meter* meter = panel.meter;
  meter->mutex.lock();
  int result = meter->volts;
  meter->mutex.unlock();
  meter->mutex.lock();
  result -= meter->amperes;
  meter->mutex.unlock();
  return result;
}

/// The first function of a thread.
UNIT void watch(Panel* panel) {
  panel->meter->readVolts();
  panel->meter->readAmperes();
}

int main() {
  Panel panel{&theMeter()};
  std::thread writer([] { theMeter().set(3); });
#ifdef WATCH
  std::thread reader(watch, &panel);
#else
  std::thread reader([&] {
    power();
    difference(panel);
  });
#endif
  writer.join();
  reader.join();
}
