#pragma once

#include <map>
#include <mutex>
#include <string>

/// Settings that are loaded when somebody asks for the first time.
class Settings {
public:
  std::string get(const std::string& name);
  int loads() const { return loads_; }

private:
  void load();

  std::mutex mutex_;
  std::once_flag once_;
  std::map<std::string, std::string> values_;
  bool loaded_ = false;
  int loads_ = 0;
};
