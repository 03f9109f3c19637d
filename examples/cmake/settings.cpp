#include "settings.h"

std::string Settings::get(const std::string& name) {
#ifdef SETTINGS_FIXED
  std::call_once(once_, [this] { load(); });
#else
  // The bug: two threads can both find that nothing was loaded yet.
  if (!loaded_)
    load();
#endif
  std::lock_guard<std::mutex> guard(mutex_);
  return values_[name];
}

void Settings::load() {
  std::lock_guard<std::mutex> guard(mutex_);
  values_["port"] = "8080";
  ++loads_;
  loaded_ = true;
}
