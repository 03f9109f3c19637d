#!/usr/bin/env python3
"""Writes a C++ program of a wanted size whose modules share what real programs share.

Usage: generate.py DIRECTORY LINES [SEED]

Every module (about 1,000 lines) has classes with members and mutexes that derive from common bases,
owns them in the common container, registers them with a common registry, subscribes callbacks to a
common event bus, submits tasks to a common thread pool, and logs. A few modules race: their lines
are listed in DIRECTORY/races.txt as FILE:LINE. The same seed gives the same program.
"""

import random
import sys
from pathlib import Path

LINES_OF_A_MODULE = 1000
MODULES_OF_A_UNIT = 5
RACES = 6  # at most, one in a module

COMMON = """#pragma once
// What all modules share. Few headers: a large program is to be compiled in minutes.
#include <cstdio>
#include <functional>
#include <mutex>
#include <vector>

/// The common container: owns its elements.
template <typename T> class PtrList {
public:
  ~PtrList() {
    for (T* each : items_)
      delete each;
  }
  T* add(T* item) {
    items_.push_back(item);
    return item;
  }
  T* at(unsigned index) const { return items_[index % items_.size()]; }
  unsigned size() const { return static_cast<unsigned>(items_.size()); }
  bool empty() const { return items_.empty(); }

private:
  std::vector<T*> items_;
};

struct Event {
  int topic = 0;
  long value = 0;
  const char* text = "";
};

class Sink {
public:
  virtual ~Sink() = default;
  virtual void write(int level, const char* text, long value) = 0;
};

/// One for the program; every module logs.
class Logger {
public:
  static Logger& get();
  void addSink(Sink* sink);
  void log(int level, const char* text, long value);
  long written();

private:
  std::mutex mutex_;
  std::vector<Sink*> sinks_;
  long written_ = 0;
};

class Visitor;

/// Base of what modules consist of.
class Component {
public:
  explicit Component(int id) : id_(id) {}
  virtual ~Component() = default;
  virtual void handle(const Event& event) = 0;
  virtual long weigh() = 0;
  virtual void accept(Visitor& visitor);
  int id() const { return id_; }

private:
  int id_;
};

class Visitor {
public:
  virtual ~Visitor() = default;
  virtual void visit(Component& component) = 0;
};

class Registry {
public:
  static Registry& get();
  void add(Component* component);
  Component* find(int id);
  void visitAll(Visitor& visitor);
  unsigned size();

private:
  std::mutex mutex_;
  PtrList<Component> components_;
};

class Bus {
public:
  static Bus& get();
  void subscribe(int topic, std::function<void(const Event&)> callback);
  void publish(const Event& event);

private:
  struct Subscription {
    int topic;
    std::function<void(const Event&)> callback;
  };
  std::mutex mutex_;
  std::vector<Subscription> subscriptions_;
};

class Pool {
public:
  static Pool& get();
  void start(int threads);
  void submit(std::function<void()> task);
  void finish();

private:
  struct State;
  void run();
  State* state_ = nullptr;
};
"""

SHARED = """#include "common.h"

#include <condition_variable>
#include <deque>
#include <thread>

Logger& Logger::get() {
  static Logger logger;
  return logger;
}

void Logger::addSink(Sink* sink) {
  std::lock_guard<std::mutex> guard(mutex_);
  sinks_.push_back(sink);
}

void Logger::log(int level, const char* text, long value) {
  std::lock_guard<std::mutex> guard(mutex_);
  ++written_;
  for (Sink* sink : sinks_)
    sink->write(level, text, value);
}

long Logger::written() {
  std::lock_guard<std::mutex> guard(mutex_);
  return written_;
}

void Component::accept(Visitor& visitor) { visitor.visit(*this); }

Registry& Registry::get() {
  static Registry registry;
  return registry;
}

void Registry::add(Component* component) {
  std::lock_guard<std::mutex> guard(mutex_);
  components_.add(component);
}

Component* Registry::find(int id) {
  std::lock_guard<std::mutex> guard(mutex_);
  for (unsigned i = 0; i < components_.size(); ++i)
    if (components_.at(i)->id() == id)
      return components_.at(i);
  return nullptr;
}

void Registry::visitAll(Visitor& visitor) {
  std::lock_guard<std::mutex> guard(mutex_);
  for (unsigned i = 0; i < components_.size(); ++i)
    components_.at(i)->accept(visitor);
}

unsigned Registry::size() {
  std::lock_guard<std::mutex> guard(mutex_);
  return components_.size();
}

Bus& Bus::get() {
  static Bus bus;
  return bus;
}

void Bus::subscribe(int topic, std::function<void(const Event&)> callback) {
  std::lock_guard<std::mutex> guard(mutex_);
  subscriptions_.push_back({topic, std::move(callback)});
}

void Bus::publish(const Event& event) {
  std::vector<std::function<void(const Event&)>> called;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    for (const Subscription& each : subscriptions_)
      if (each.topic == event.topic)
        called.push_back(each.callback);
  }
  for (const auto& callback : called)
    callback(event);
}

struct Pool::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  std::vector<std::thread> threads;
  bool stopped = false;
};

Pool& Pool::get() {
  static Pool pool;
  return pool;
}

void Pool::start(int threads) {
  state_ = new State;
  for (int i = 0; i < threads; ++i)
    state_->threads.emplace_back([this] { run(); });
}

void Pool::submit(std::function<void()> task) {
  std::lock_guard<std::mutex> guard(state_->mutex);
  state_->tasks.push_back(std::move(task));
  state_->changed.notify_one();
}

void Pool::run() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> guard(state_->mutex);
      while (state_->tasks.empty() && !state_->stopped)
        state_->changed.wait(guard);
      if (state_->tasks.empty())
        return;
      task = std::move(state_->tasks.front());
      state_->tasks.pop_front();
    }
    task();
  }
}

void Pool::finish() {
  {
    std::lock_guard<std::mutex> guard(state_->mutex);
    state_->stopped = true;
    state_->changed.notify_all();
  }
  for (std::thread& thread : state_->threads)
    thread.join();
}
"""

NOUNS = ["Order", "Route", "Meter", "Ticket", "Parcel", "Sensor", "Ledger", "Frame", "Packet", "Recipe", "Invoice",
         "Channel", "Sample", "Journal", "Buffer", "Account"]


class Unit:
    """Lines of one source file."""

    def __init__(self, name):
        self.name = name
        self.lines = ['#include "common.h"', ""]

    def add(self, text):
        self.lines += text.rstrip("\n").split("\n")

    def here(self):
        return len(self.lines) + 1


class Generator:
    def __init__(self, lines, seed):
        self.random = random.Random(seed)
        self.modules = max(1, lines // LINES_OF_A_MODULE)
        chosen = self.random.sample(range(self.modules), min(RACES, self.modules))
        self.racing = set(chosen)
        self.races = []
        self.units = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def generate(self):
        for number in range(self.modules):
            if number % MODULES_OF_A_UNIT == 0:
                self.units.append(Unit(f"unit{len(self.units)}.cpp"))
            self.module(self.units[-1], number)

    def module(self, unit, number):
        end = len(unit.lines) + LINES_OF_A_MODULE - 45
        unit.add(f"namespace m{number} {{\n")
        names = []
        while len(unit.lines) < end:
            name = f"{self.pick(*NOUNS)}{len(names)}"
            self.component(unit, number, name, names, racing=number in self.racing and not names)
            names.append(name)
        self.visitor(unit, number)
        self.install(unit, number, names)
        unit.add(f"}} // namespace m{number}\n")

    def component(self, unit, number, name, before, racing):
        """A record class, and a component that owns records, with five to nine further methods."""
        fields = [f"field{i}_" for i in range(self.random.randint(4, 9))]
        methods = self.random.randint(5, 9)
        unit.add(f"struct {name}Record {{\n  int key = 0;\n  long amount = 0;\n  const char* label = \"{name}\";\n"
                 f"  {name}Record* next = nullptr;\n}};\n")
        unit.add(f"class {name} : public Component {{\npublic:")
        unit.add(f"  explicit {name}(int id) : Component(id) {{}}")
        unit.add("  void handle(const Event& event) override {\n"
                 "    std::lock_guard<std::mutex> guard(mutex_);\n"
                 f"    {fields[0]} += event.value;\n"
                 f"    if ({fields[0]} > {self.random.randint(10, 99)})\n"
                 f"      Logger::get().log(1, \"{name} is full\", {fields[0]});\n  }}\n")
        unit.add("  long weigh() override {\n    std::lock_guard<std::mutex> guard(mutex_);\n    long sum = 0;\n"
                 "    for (unsigned i = 0; i < records_.size(); ++i)\n      sum += records_.at(i)->amount;\n"
                 f"    return sum + {' + '.join(fields)};\n  }}\n")
        unit.add("  void setPeer(Component* peer) {\n    std::lock_guard<std::mutex> guard(mutex_);\n    peer_ = peer;\n  }\n")
        if racing:
            unit.add("  void tally() {")
            self.races.append(f"{unit.name}:{unit.here()}")
            unit.add("    tally_ = tally_ + 1; // RACE: tasks of the pool, no lock\n  }")
            unit.add("  long tallied() const { return tally_; }\n")
        for m in range(methods):
            self.method(unit, name, m, fields)
        unit.add("  void schedule() {")
        for m in range(min(methods, 3)):
            unit.add(f"    Pool::get().submit([this] {{ step{m}({self.random.randint(1, 50)}); }});")
        if racing:
            unit.add("    Pool::get().submit([this] { tally(); });")
        unit.add("  }\n")
        unit.add("private:\n  std::mutex mutex_;\n  PtrList<" + name + "Record> records_;\n  "
                 + name + "Record* head_ = nullptr;\n  Component* peer_ = nullptr;")
        for field in fields:
            unit.add(f"  long {field} = 0;")
        if racing:
            unit.add("  long tally_ = 0;")
        unit.add("};\n")

    def method(self, unit, name, number, fields):
        one, two = self.random.sample(fields, 2)
        unit.add(f"  long step{number}(long by) {{")
        kind = self.random.randrange(5)
        if kind == 0:  # a new record, into the container and into a chain
            unit.add("    std::lock_guard<std::mutex> guard(mutex_);\n"
                     f"    {name}Record* record = records_.add(new {name}Record);\n"
                     "    record->amount = by;\n    record->next = head_;\n    head_ = record;\n"
                     f"    {one} += by;\n    return {one};")
        elif kind == 1:  # walks along the chain
            unit.add("    std::lock_guard<std::mutex> guard(mutex_);\n    long sum = 0;\n"
                     f"    for ({name}Record* each = head_; each; each = each->next) {{\n"
                     f"      each->amount += {self.random.randint(1, 9)};\n      if (each->amount > by)\n"
                     f"        sum += each->amount - {two};\n      else\n        sum -= by;\n    }}\n"
                     f"    {one} = sum;\n    return sum;")
        elif kind == 2:  # calls another component, without its own lock
            unit.add("    Component* peer;\n    {\n      std::lock_guard<std::mutex> guard(mutex_);\n      peer = peer_;\n"
                     f"      {one} ^= by;\n    }}\n    if (!peer)\n      return 0;\n"
                     f"    Event event{{{self.random.randrange(40)}, by, \"{name}\"}};\n    peer->handle(event);\n"
                     "    return peer->weigh();")
        elif kind == 3:  # arithmetic on its own
            unit.add("    long local[4] = {by, 1, 2, 3};\n"
                     f"    for (int i = 0; i < {self.random.randint(4, 20)}; ++i) {{\n"
                     f"      local[i % 4] = local[(i + 1) % 4] * {self.random.randint(2, 9)} + by;\n"
                     f"      if (local[i % 4] > {self.random.randint(100, 999)})\n        local[i % 4] /= 3;\n    }}\n"
                     "    std::lock_guard<std::mutex> guard(mutex_);\n"
                     f"    {one} += local[0];\n    {two} -= local[1];\n    return local[2] + local[3];")
        else:  # publishes and logs
            unit.add(f"    long seen;\n    {{\n      std::lock_guard<std::mutex> guard(mutex_);\n      seen = {one};\n"
                     f"      {two} = seen + by;\n    }}\n    if (seen > {self.random.randint(50, 500)})\n"
                     f"      Logger::get().log(2, \"{name}::step{number}\", seen);\n"
                     f"    Bus::get().publish({{{self.random.randrange(40)}, seen, \"{name}\"}});\n    return seen;")
        unit.add("  }\n")

    def visitor(self, unit, number):
        unit.add("class Census : public Visitor {\npublic:\n  void visit(Component& component) override {\n"
                 "    sum_ += component.weigh();\n    ++count_;\n  }\n  long mean() const { return count_ ? sum_ / count_ : 0; }\n\n"
                 "private:\n  long sum_ = 0, count_ = 0;\n};\n")

    def install(self, unit, number, names):
        unit.add("void install() {")
        for i, name in enumerate(names):
            unit.add(f"  auto* c{i} = new {name}({number * 100 + i});\n  Registry::get().add(c{i});")
            if i:
                unit.add(f"  c{i}->setPeer(c{self.random.randrange(i)});")
        last = len(names) - 1
        unit.add(f"  Bus::get().subscribe({self.random.randrange(40)}, [c0](const Event& event) {{ c0->handle(event); }});")
        unit.add(f"  Bus::get().subscribe({self.random.randrange(40)}, [c{last}](const Event& event) {{\n"
                 f"    if (event.value > {self.random.randint(1, 9)})\n      c{last}->schedule();\n  }});")
        if number % 8 == 0:
            unit.add(f"  if (Component* other = Registry::get().find({self.random.randrange(self.modules) * 100}))\n"
                     f"    c0->setPeer(other);")
        for i in range(len(names)):
            unit.add(f"  c{i}->schedule();")
        unit.add("  Pool::get().submit([] {\n    Census census;\n    Registry::get().visitAll(census);\n"
                 "    Logger::get().log(0, \"mean\", census.mean());\n  });\n}\n")

    def main(self):
        lines = ['#include "common.h"', ""]
        for number in range(self.modules):
            lines.append(f"namespace m{number} {{ void install(); }}")
        lines += ["", "class FileSink : public Sink {", "public:",
                  "  void write(int level, const char* text, long value) override {",
                  "    count_ += level;", '    std::fprintf(stderr, "%s %ld\\n", text, value);', "  }", "",
                  "private:", "  long count_ = 0;", "};", "", "int main() {", "  Logger::get().addSink(new FileSink);",
                  "  Pool::get().start(4);"]
        for number in range(self.modules):
            lines.append(f"  m{number}::install();")
        lines += ['  for (int i = 0; i < 100; ++i)', '    Bus::get().publish({i % 40, i, "main"});',
                  "  Pool::get().finish();", "  return Logger::get().written() > 0 ? 0 : 1;", "}"]
        return lines

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.generate()
        files = {"common.h": COMMON, "shared.cpp": SHARED, "main.cpp": "\n".join(self.main()) + "\n"}
        for unit in self.units:
            files[unit.name] = "\n".join(unit.lines) + "\n"
        for name, text in files.items():
            path = folder / name
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        (folder / "races.txt").write_text("".join(f"{race}\n" for race in self.races))
        return sum(text.count("\n") for text in files.values())


def generate(folder, lines, seed=1):
    """Writes the program; returns how many lines it has."""
    return Generator(lines, seed).write(Path(folder))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print(generate(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
