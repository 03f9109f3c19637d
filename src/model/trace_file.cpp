#include "model/trace_file.h"

#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle {
namespace {

constexpr char kMagic[8] = {'H', 'E', 'D', 'T', 'R', 'A', 'C', 'E'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kEventBlock = 0x54564531; ///< "1EVT"
constexpr uint32_t kSiteBlock = 0x54495331;  ///< "1SIT"
constexpr uint32_t kEndBlock = 0x444e4531;   ///< "1END"
constexpr size_t kEventsPerBlock = size_t{1} << 16;
/// Refuses absurd sizes in a damaged file before anything is allocated.
constexpr uint64_t kMaxBlockBytes = uint64_t{256} << 20;
constexpr int kCompressionLevel = 1;

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t eventBytes;
};

struct BlockHeader {
  uint32_t tag;
  uint32_t reserved;
  uint64_t plainBytes;
  uint64_t storedBytes;
};

struct EndBlock {
  uint64_t eventCount;
  uint64_t siteCount;
};

struct FileCloser {
  void operator()(FILE* file) const { fclose(file); }
};
using File = std::unique_ptr<FILE, FileCloser>;

void putWord(std::string& out, uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void putText(std::string& out, const std::string& text) {
  putWord(out, text.size());
  out += text;
}

std::string encodeSites(const SiteCatalog& sites) {
  std::string out;
  putWord(out, sites.size());
  for (const SiteEntry& site : sites.entries()) {
    putWord(out, raw(site.identity));
    putWord(out, static_cast<uint64_t>(site.kind) | uint64_t{site.flags} << 8 |
                     uint64_t{site.learned} << 32);
    putWord(out, uint64_t{site.line} | uint64_t{site.column} << 32);
    putWord(out, uint64_t{site.size} | uint64_t{site.offset} << 32);
    putWord(out, site.ordinal);
    for (const std::string* text :
         {&site.linkageName, &site.file, &site.object, &site.callee, &site.inlinedAt, &site.module})
      putText(out, *text);
  }
  return out;
}

/// Takes words and texts off a byte sequence; once it ran dry, ok() stays false.
class Decoder {
public:
  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t left() const { return bytes_.size(); }

  uint64_t word() {
    uint64_t value = 0;
    take(&value, sizeof(value));
    return value;
  }

  std::string text() {
    uint64_t length = word();
    if (!ok_ || length > bytes_.size()) {
      ok_ = false;
      return {};
    }
    std::string value(reinterpret_cast<const char*>(bytes_.data()), length);
    bytes_ = bytes_.subspan(length);
    return value;
  }

  bool take(void* into, size_t count) {
    if (!ok_ || count > bytes_.size())
      return ok_ = false;
    memcpy(into, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
    return true;
  }

  std::span<const std::byte> skip(size_t count) {
    if (!ok_ || count > bytes_.size()) {
      ok_ = false;
      return {};
    }
    auto skipped = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return skipped;
  }

private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

SiteEntry decodeSite(Decoder& in) {
  SiteEntry site;
  site.identity = static_cast<SiteIdentity>(in.word());
  uint64_t word = in.word();
  site.kind = static_cast<SiteKind>(word & 0xff);
  site.flags = static_cast<uint8_t>(word >> 8);
  site.learned = static_cast<uint32_t>(word >> 32);
  word = in.word();
  site.line = static_cast<uint32_t>(word);
  site.column = static_cast<uint32_t>(word >> 32);
  word = in.word();
  site.size = static_cast<uint32_t>(word);
  site.offset = static_cast<uint32_t>(word >> 32);
  site.ordinal = static_cast<uint32_t>(in.word());
  for (std::string* text :
       {&site.linkageName, &site.file, &site.object, &site.callee, &site.inlinedAt, &site.module})
    *text = in.text();
  site.function = demangle(site.linkageName);
  return site;
}

} // namespace

struct TraceWriter::Impl {
  std::string path;
  File file;
  std::vector<Event> pending;
  std::string compressed;
  uint64_t eventCount = 0;

  Status put(const void* data, size_t bytes) {
    if (fwrite(data, 1, bytes, file.get()) == bytes)
      return Success{};
    return Error{"cannot write the trace " + path + ": " + strerror(errno) +
                     "; free some space or choose another place with --store",
                 ErrorKind::Environment};
  }

  Status putBlock(uint32_t tag, const void* data, size_t bytes) {
    compressed.resize(ZSTD_compressBound(bytes));
    size_t stored =
        ZSTD_compress(compressed.data(), compressed.size(), data, bytes, kCompressionLevel);
    if (ZSTD_isError(stored))
      return Error{std::string("cannot compress the trace: ") + ZSTD_getErrorName(stored),
                   ErrorKind::Internal};
    BlockHeader header{tag, 0, bytes, stored};
    if (Status status = put(&header, sizeof(header)); !status)
      return status;
    return put(compressed.data(), stored);
  }

  Status flushEvents() {
    if (pending.empty())
      return Success{};
    Status status = putBlock(kEventBlock, pending.data(), pending.size() * sizeof(Event));
    pending.clear();
    return status;
  }
};

TraceWriter::TraceWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TraceWriter::TraceWriter(TraceWriter&&) noexcept = default;
TraceWriter& TraceWriter::operator=(TraceWriter&&) noexcept = default;
TraceWriter::~TraceWriter() = default;

uint64_t TraceWriter::eventCount() const { return impl_->eventCount; }

Result<TraceWriter> TraceWriter::create(const std::string& path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->file.reset(fopen(path.c_str(), "wbe"));
  if (!impl->file)
    return Error{"cannot create the trace " + path + ": " + strerror(errno),
                 ErrorKind::Environment};
  impl->pending.reserve(kEventsPerBlock);
  FileHeader header{{}, kVersion, sizeof(Event)};
  memcpy(header.magic, kMagic, sizeof(kMagic));
  if (Status status = impl->put(&header, sizeof(header)); !status)
    return status.error();
  return TraceWriter(std::move(impl));
}

Status TraceWriter::append(std::span<const Event> events) {
  impl_->eventCount += events.size();
  while (!events.empty()) {
    size_t room = kEventsPerBlock - impl_->pending.size();
    size_t count = std::min(room, events.size());
    impl_->pending.insert(impl_->pending.end(), events.begin(), events.begin() + count);
    events = events.subspan(count);
    if (impl_->pending.size() < kEventsPerBlock)
      continue;
    if (Status status = impl_->flushEvents(); !status)
      return status;
  }
  return Success{};
}

Status TraceWriter::finish(const SiteCatalog& sites) {
  if (Status status = impl_->flushEvents(); !status)
    return status;
  std::string table = encodeSites(sites);
  if (Status status = impl_->putBlock(kSiteBlock, table.data(), table.size()); !status)
    return status;
  EndBlock end{impl_->eventCount, sites.size()};
  if (Status status = impl_->putBlock(kEndBlock, &end, sizeof(end)); !status)
    return status;
  // Buffered data may only now meet a full disk.
  if (fclose(impl_->file.release()) != 0)
    return Error{"cannot write the trace " + impl_->path + ": " + strerror(errno),
                 ErrorKind::Environment};
  return Success{};
}

namespace {

/// State of one pass over a trace file.
class BlockReader {
public:
  BlockReader(std::span<const std::byte> bytes, const std::string& path,
              const TraceReader::EventSink& sink)
      : in_(bytes), path_(path), sink_(sink) {}

  Result<SiteCatalog> read() {
    FileHeader header;
    if (!in_.take(&header, sizeof(header)) || memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
      return broken("it is not a heddle trace");
    if (header.version != kVersion || header.eventBytes != sizeof(Event))
      return broken("it was written by another version of heddle (format " +
                    std::to_string(header.version) + ", this one reads " +
                    std::to_string(kVersion) + "); record it again");
    while (!ended_)
      if (Status status = readBlock(); !status)
        return status.error();
    return SiteCatalog(std::move(sites_));
  }

private:
  Error broken(const std::string& why) const {
    return Error{"trace " + path_ + ": " + why, ErrorKind::Usage};
  }

  Status readBlock() {
    BlockHeader header;
    if (!in_.take(&header, sizeof(header)))
      return broken("its end is missing; the recording was interrupted");
    if (header.plainBytes > kMaxBlockBytes || header.storedBytes > in_.left())
      return broken("a block has an impossible size; the file is damaged");
    auto stored = in_.skip(header.storedBytes);
    // A tiny block cannot honestly claim hundreds of megabytes.
    if (header.plainBytes / (1 << 16) > header.storedBytes)
      return broken("a block has an impossible size; the file is damaged");
    plain_.resize(header.plainBytes);
    size_t got = ZSTD_decompress(plain_.data(), plain_.size(), stored.data(), stored.size());
    if (ZSTD_isError(got) || got != header.plainBytes)
      return broken("a block cannot be decompressed; the file is damaged");
    return takeBlock(header.tag);
  }

  Status takeBlock(uint32_t tag) {
    switch (tag) {
    case kEventBlock:
      return takeEvents();
    case kSiteBlock:
      return takeSites();
    case kEndBlock:
      return takeEnd();
    }
    return broken("it has a block of an unknown kind; the file is damaged");
  }

  Status takeEvents() {
    if (plain_.size() % sizeof(Event) != 0)
      return broken("a block of events has a fractional event; the file is damaged");
    events_.resize(plain_.size() / sizeof(Event));
    if (!events_.empty())
      memcpy(events_.data(), plain_.data(), plain_.size());
    eventCount_ += events_.size();
    sink_(events_);
    return Success{};
  }

  Status takeSites() {
    Decoder in(plain_);
    uint64_t count = in.word();
    sites_.assign(1, SiteEntry{});
    for (uint64_t i = 0; i < count && in.ok(); ++i)
      sites_.push_back(decodeSite(in));
    if (!in.ok())
      return broken("its site table is cut off; the file is damaged");
    return Success{};
  }

  Status takeEnd() {
    EndBlock end{};
    if (plain_.size() != sizeof(end))
      return broken("its end block has a wrong size; the file is damaged");
    memcpy(&end, plain_.data(), sizeof(end));
    size_t siteCount = sites_.empty() ? 0 : sites_.size() - 1;
    if (end.eventCount != eventCount_ || end.siteCount != siteCount)
      return broken("events are missing in it; the file is damaged");
    ended_ = true;
    return Success{};
  }

  Decoder in_;
  const std::string& path_;
  const TraceReader::EventSink& sink_;
  std::vector<std::byte> plain_;
  std::vector<Event> events_;
  std::vector<SiteEntry> sites_;
  uint64_t eventCount_ = 0;
  bool ended_ = false;
};

Result<std::vector<std::byte>> readWhole(const std::string& path) {
  File file(fopen(path.c_str(), "rbe"));
  if (!file)
    return Error{"cannot open the trace " + path + ": " + strerror(errno), ErrorKind::Environment};
  std::vector<std::byte> bytes;
  std::byte buffer[1 << 16];
  while (size_t got = fread(buffer, 1, sizeof(buffer), file.get()))
    bytes.insert(bytes.end(), buffer, buffer + got);
  return bytes;
}

} // namespace

Result<SiteCatalog> TraceReader::read(const std::string& path, const EventSink& sink) {
  auto bytes = readWhole(path);
  if (!bytes)
    return bytes.error();
  return read(*bytes, path, sink);
}

Result<SiteCatalog> TraceReader::read(std::span<const std::byte> bytes, const std::string& path,
                                      const EventSink& sink) {
  return BlockReader(bytes, path, sink).read();
}

} // namespace heddle
