#include "report/paths.h"

#include <filesystem>

namespace heddle {

namespace {

void shorten(Location& location, const std::string& root) {
  if (!isLibraryFile(location.file))
    location.file = relativePath(location.file, root);
}

void shorten(Stack& stack, const std::string& root) {
  for (Location& frame : stack)
    shorten(frame, root);
}

void shorten(FindingSite& site, const std::string& root) {
  shorten(site.location, root);
  shorten(site.stack, root);
}

/// Paths in a sentence: "mutex_ (taken at /src/bank.cpp:12)".
void shortenText(std::string& text, const std::string& root) {
  const std::string folder = root + "/";
  for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
}

void shorten(ThreadInfo& thread, const std::string& root) {
  shorten(thread.stack, root);
  shorten(thread.createdAt, root);
  for (std::string& lock : thread.held)
    shortenText(lock, root);
}

} // namespace

bool isLibraryFile(const std::string& file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}

std::string relativePath(const std::string& file, const std::string& root) {
  if (root.empty() || !file.starts_with("/"))
    return file;
  const auto path = std::filesystem::path(file).lexically_normal();
  const auto relative = path.lexically_relative(std::filesystem::path(root).lexically_normal());
  if (relative.empty() || *relative.begin() == "..")
    return file;
  return relative.generic_string();
}

Finding withRelativePaths(Finding finding, const std::string& root) {
  if (root.empty() || root == "/")
    return finding;
  for (FindingSite& site : finding.sites)
    shorten(site, root);
  for (RelatedPattern& related : finding.related)
    for (FindingSite& site : related.sites)
      shorten(site, root);
  if (finding.failure && finding.failure->site)
    shorten(*finding.failure->site, root);
  for (ThreadInfo& thread : finding.threads)
    shorten(thread, root);
  for (Step& step : finding.steps)
    shorten(step.location, root);
  for (PathPair& pair : finding.paths)
    for (CallPath* path : {&pair.first, &pair.second})
      for (Location& frame : path->stack)
        shorten(frame, root);
  if (finding.origin == FindingOrigin::Source) { // it names places in its words
    shortenText(finding.message, root);
    shortenText(finding.group, root);
    for (std::string& note : finding.notes)
      shortenText(note, root);
    for (FindingSite& site : finding.sites)
      for (std::string& lock : site.held)
        shortenText(lock, root);
  }
  if (finding.missingOrder) {
    shorten(finding.missingOrder->store.location, root);
    shorten(finding.missingOrder->load.location, root);
    shortenText(finding.message, root);
  }
  return finding;
}

} // namespace heddle
