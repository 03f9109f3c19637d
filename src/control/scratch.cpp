#include "control/scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>

namespace heddle {
namespace {

constexpr off_t kOutputLimit = off_t{64} << 20;
constexpr off_t kOutputShown = off_t{1} << 20;

Error failed(const std::string& what) {
  return Error{what + ": " + strerror(errno), ErrorKind::Environment};
}

Result<FileDescriptor> makeInput(const std::string& text, bool present) {
  if (!present) {
    FileDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null)
      return failed("cannot open /dev/null");
    return null;
  }
  FileDescriptor file(memfd_create("heddle-input", MFD_CLOEXEC));
  size_t written = 0;
  while (file && written < text.size()) {
    ssize_t got = write(file.get(), text.data() + written, text.size() - written);
    if (got <= 0)
      return failed("cannot copy the standard input");
    written += static_cast<size_t>(got);
  }
  // Opened a second time: the program gets a description of its own that cannot write.
  std::string self = "/proc/self/fd/" + std::to_string(file.get());
  FileDescriptor readOnly(open(self.c_str(), O_RDONLY | O_CLOEXEC));
  if (!readOnly)
    return failed("cannot copy the standard input");
  return readOnly;
}

/// Folders of sessions. While one is used its session holds a lock on it, which goes with the
/// process whatever ends it.
constexpr const char* kFolderName = "heddle-run-";
/// A folder that nobody could have locked yet.
constexpr const char* kNewFolderName = "heddle-new-";

FileDescriptor lockedFolder(const std::string& path) {
  FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) != 0)
    return FileDescriptor();
  return folder;
}

/// Removes what sessions have left that were killed.
void removeAbandonedFolders(const std::filesystem::path& where) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(where, ignored)) {
    struct stat facts;
    bool ours = entry.path().filename().string().starts_with(kFolderName) &&
                lstat(entry.path().c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
                facts.st_uid == geteuid();
    if (!ours)
      continue;
    if (FileDescriptor lock = lockedFolder(entry.path().string()))
      std::filesystem::remove_all(entry.path(), ignored);
  }
}

struct NewFolder {
  std::string path;
  FileDescriptor lock;
};

/// Locked before it gets the name by which others look for it.
Result<NewFolder> makeFolder() {
  std::error_code ignored;
  std::filesystem::path where = std::filesystem::temp_directory_path(ignored);
  static std::once_flag once;
  std::call_once(once, [&] { removeAbandonedFolders(where); });
  std::string pattern = (where / (kNewFolderName + std::string("XXXXXX"))).string();
  if (!mkdtemp(pattern.data()))
    return failed("cannot create a temporary directory (" + pattern + ")");
  NewFolder folder{pattern, lockedFolder(pattern)};
  std::string unique = pattern.substr(pattern.size() - 6);
  std::string name = (where / (kFolderName + std::to_string(getpid()) + "-" + unique)).string();
  if (folder.lock && rename(pattern.c_str(), name.c_str()) == 0)
    folder.path = name;
  return folder;
}

} // namespace

Result<Scratch> Scratch::create(const std::string& input, bool hasInput) {
  Scratch scratch;
  auto folder = makeFolder();
  if (!folder)
    return folder.error();
  scratch.path_.text = folder->path;
  scratch.lock_ = std::move(folder->lock);
  scratch.directory_ = FileDescriptor(open(folder->path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!scratch.directory_)
    return failed("cannot open " + folder->path);
  scratch.output_ = FileDescriptor(memfd_create("heddle-output", MFD_CLOEXEC));
  // Append mode: after a truncation the program goes on at the start instead of leaving a hole.
  if (!scratch.output_ || fcntl(scratch.output_.get(), F_SETFL, O_APPEND) != 0)
    return failed("cannot create a file for the program's output");
  auto stdinCopy = makeInput(input, hasInput);
  if (!stdinCopy)
    return stdinCopy.error();
  scratch.input_ = std::move(*stdinCopy);
  return scratch;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!path_.text.empty())
    std::filesystem::remove_all(path_.text, ignored);
}

void Scratch::renew() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_.text, ignored))
    std::filesystem::remove_all(entry.path(), ignored);
  lseek(input_.get(), 0, SEEK_SET);
  forgetOutput();
}

void Scratch::forgetOutput() { (void)!ftruncate(output_.get(), 0); }

void Scratch::limitOutput() {
  struct stat facts;
  if (fstat(output_.get(), &facts) == 0 && facts.st_size > kOutputLimit)
    forgetOutput();
}

std::string Scratch::readOutput() const {
  struct stat facts;
  if (fstat(output_.get(), &facts) != 0)
    return {};
  off_t start = std::max<off_t>(0, facts.st_size - kOutputShown);
  std::string text(static_cast<size_t>(facts.st_size - start), '\0');
  ssize_t got = pread(output_.get(), text.data(), text.size(), start);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

} // namespace heddle
