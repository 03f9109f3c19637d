#include "store/encoding.h"

#include <cstdint>
#include <cstdio>
#include <ctime>

namespace heddle {

std::string joinStrings(const std::vector<std::string>& strings) {
  std::string blob;
  for (const std::string& text : strings)
    blob.append(text).push_back('\0');
  return blob;
}

std::vector<std::string> splitStrings(std::string_view blob) {
  std::vector<std::string> strings;
  while (!blob.empty()) {
    const size_t end = blob.find('\0');
    strings.emplace_back(blob.substr(0, end));
    blob.remove_prefix(end == std::string_view::npos ? blob.size() : end + 1);
  }
  return strings;
}

std::string joinPairs(const StringPairs& pairs) {
  std::string blob;
  for (const auto& [name, value] : pairs) {
    blob.append(name).push_back('\0');
    blob.append(value).push_back('\0');
  }
  return blob;
}

StringPairs splitPairs(std::string_view blob) {
  std::vector<std::string> strings = splitStrings(blob);
  StringPairs pairs;
  for (size_t i = 0; i + 1 < strings.size(); i += 2)
    pairs.emplace_back(std::move(strings[i]), std::move(strings[i + 1]));
  return pairs;
}

std::string joinSites(const std::vector<SiteIdentity>& sites) {
  std::string blob;
  blob.reserve(sites.size() * 8);
  for (const SiteIdentity site : sites)
    for (int shift = 0; shift < 64; shift += 8)
      blob.push_back(static_cast<char>(raw(site) >> shift));
  return blob;
}

std::vector<SiteIdentity> splitSites(std::string_view blob) {
  std::vector<SiteIdentity> sites;
  sites.reserve(blob.size() / 8);
  for (size_t start = 0; start + 8 <= blob.size(); start += 8) {
    uint64_t identity = 0;
    for (size_t i = 8; i-- > 0;)
      identity = identity << 8 | static_cast<unsigned char>(blob[start + i]);
    sites.push_back(static_cast<SiteIdentity>(identity));
  }
  return sites;
}

std::string pointsSetId(const std::string& build, const std::vector<SiteIdentity>& sites) {
  uint64_t hash = mix(0x706f696e7473ull, build.size());
  for (const char c : build)
    hash = mix(hash, static_cast<unsigned char>(c));
  for (const SiteIdentity site : sites)
    hash = mix(hash, raw(site));
  char text[24];
  std::snprintf(text, sizeof text, "P-%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string timestampNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

} // namespace heddle
