#include "control/batch_memory.h"

#include "control/futex.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>

namespace heddle {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kListedBytes = uint64_t{64} << 20;
constexpr uint64_t kScheduleBytes = uint64_t{1} << 30;
constexpr uint64_t kDecisionBytes = uint64_t{1} << 30;
constexpr uint64_t kSiteBytes = uint64_t{256} << 20;
constexpr uint64_t kRingBytes = uint64_t{2} << 20;

uint64_t roundToPages(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Places regions one after the other and says how large the file becomes.
class Layout {
public:
  explicit Layout(uint64_t start) : next_(roundToPages(start)) {}
  Region place(uint64_t bytes) {
    Region region{next_, bytes};
    next_ += roundToPages(bytes);
    return region;
  }
  uint64_t end() const { return next_; }

private:
  uint64_t next_;
};

struct Regions {
  Region listedSites, schedule, decisions, results, behaviourTable, behaviourLog, sites, ring;
  uint64_t total;
};

Regions placeRegions() {
  Layout layout(sizeof(BatchHeader));
  Regions regions{};
  regions.decisions = layout.place(kDecisionBytes); // first: what forked runs write lies together
  regions.listedSites = layout.place(kListedBytes);
  regions.schedule = layout.place(kScheduleBytes);
  regions.results = layout.place(kMaxBatchRuns * sizeof(RunResult));
  regions.behaviourTable = layout.place(uint64_t{kBehaviourSlots} * sizeof(uint64_t));
  regions.behaviourLog = layout.place(uint64_t{kBehaviourSlots} * sizeof(uint64_t));
  regions.sites = layout.place(kSiteBytes);
  regions.ring = layout.place(kRingDataOffset + kRingBytes);
  regions.total = layout.end();
  return regions;
}

void initialize(BatchHeader& header, const Regions& regions) {
  header.magic = kBatchMagic;
  header.version = kBatchVersion;
  header.headerBytes = sizeof(BatchHeader);
  header.totalBytes = regions.total;
  header.listedSites = regions.listedSites;
  header.schedule = regions.schedule;
  header.decisions = regions.decisions;
  header.results = regions.results;
  header.behaviourTable = regions.behaviourTable;
  header.behaviourLog = regions.behaviourLog;
  header.sites = regions.sites;
  header.ring = regions.ring;
}

Error memoryError(const char* what) {
  return Error{std::string("cannot create the memory shared with the program (") + what +
                   "): " + strerror(errno) + "; `heddle doctor` says what is missing",
               ErrorKind::Environment};
}

} // namespace

std::string boundedText(const char* text, size_t limit) {
  return std::string(text, strnlen(text, limit));
}

Result<BatchMemory> BatchMemory::create() {
  Regions regions = placeRegions();
  BatchMemory memory;
  memory.file_ = FileDescriptor(memfd_create("heddle-batch", MFD_CLOEXEC));
  if (!memory.file_)
    return memoryError("memfd_create");
  if (ftruncate(memory.file_.get(), static_cast<off_t>(regions.total)) != 0)
    return memoryError("ftruncate");
  void* mapped = mmap(nullptr, regions.total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      memory.file_.get(), 0);
  if (mapped == MAP_FAILED)
    return memoryError("mmap");
  memory.header_ = static_cast<BatchHeader*>(mapped);
  memory.bytes_ = regions.total;
  initialize(*memory.header_, regions);
  return memory;
}

BatchMemory::BatchMemory(BatchMemory&& other) noexcept
    : file_(std::move(other.file_)), header_(std::exchange(other.header_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

BatchMemory& BatchMemory::operator=(BatchMemory&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(header_, other.header_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

BatchMemory::~BatchMemory() {
  if (header_)
    munmap(header_, bytes_);
}

void BatchMemory::resetForProcess() {
  header_->phase = Phase::Starting;
  header_->pid = 0;
  header_->serverPid = 0;
  header_->startupError[0] = '\0';
  reinterpret_cast<SiteRegionHeader*>(at(header_->sites))->complete = 0;
  RingHeader& ring = this->ring();
  ring.head = 0;
  ring.tail = 0;
  ring.producerWaiting = 0;
  ring.consumerWaiting = 0;
}

Status BatchMemory::writePlan(const PlanRequest& request) {
  uint64_t siteBytes = 0;
  for (const auto* list :
       {&request.listedSites, &request.selectedSites, &request.localSites, &request.unseenNames})
    siteBytes += list->size() * sizeof(uint64_t);
  uint64_t scheduleBytes = request.schedule.size() * sizeof(Decision);
  if (siteBytes > header_->listedSites.bytes || scheduleBytes > header_->schedule.bytes ||
      request.prefixes.size() > header_->schedule.bytes)
    return Error{"the plan's lists are larger than the memory shared with the program",
                 ErrorKind::Internal};
  if (request.plan.runCount > kMaxBatchRuns)
    return Error{"a batch has more runs than its results have room for", ErrorKind::Internal};
  auto* sites = reinterpret_cast<uint64_t*>(at(header_->listedSites));
  for (const auto* list :
       {&request.listedSites, &request.selectedSites, &request.localSites, &request.unseenNames})
    sites = std::copy(list->begin(), list->end(), sites);
  if (scheduleBytes != 0)
    memcpy(at(header_->schedule), request.schedule.data(), scheduleBytes);
  if (!request.prefixes.empty())
    memcpy(at(header_->schedule), request.prefixes.data(), request.prefixes.size());
  header_->plan = request.plan;
  header_->plan.listedSites = request.listedSites.size();
  header_->plan.selectedSites = request.selectedSites.size();
  header_->plan.localSites = request.localSites.size();
  header_->plan.unseenNames = request.unseenNames.size();
  header_->plan.decisions = request.schedule.size();
  header_->stop = BatchStop::None;
  header_->runsDone = 0;
  header_->currentRun = 0;
  header_->currentSteps = 0;
  header_->dumpRequest = 0;
  header_->detail.failure = FailureKind::None;
  header_->detail.message[0] = '\0';
  header_->detail.threadCount = 0;
  return Success{};
}

Phase BatchMemory::phase() const {
  Phase phase = header_->phase;
  std::atomic_thread_fence(std::memory_order_acquire);
  return phase;
}

void BatchMemory::setPhase(Phase phase) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  header_->phase = phase;
  futexWake(reinterpret_cast<volatile uint32_t*>(&header_->phase));
}

void BatchMemory::waitForPhaseChange(Phase seen, uint64_t nanos) const {
  futexWait(reinterpret_cast<volatile uint32_t*>(&header_->phase), static_cast<uint32_t>(seen),
            nanos);
}

std::span<const RunResult> BatchMemory::results(uint64_t count) const {
  return {reinterpret_cast<const RunResult*>(at(header_->results)),
          std::min<uint64_t>(count, kMaxBatchRuns)};
}

std::vector<Decision> BatchMemory::decisions(uint32_t count) const {
  auto* first = reinterpret_cast<const Decision*>(at(header_->decisions));
  uint64_t most = header_->decisions.bytes / sizeof(Decision);
  return std::vector<Decision>(first, first + std::min<uint64_t>(count, most));
}

std::span<const uint64_t> BatchMemory::behaviourLog() const {
  uint64_t count = std::min(uint64_t{header_->behaviours}, uint64_t{kBehaviourSlots});
  return {reinterpret_cast<const uint64_t*>(at(header_->behaviourLog)), count};
}

bool BatchMemory::sitesComplete() const {
  return reinterpret_cast<const SiteRegionHeader*>(at(header_->sites))->complete != 0;
}

uint32_t BatchMemory::siteCount() const {
  return reinterpret_cast<const SiteRegionHeader*>(at(header_->sites))->siteCount;
}

Result<SiteCatalog> BatchMemory::readSites() const {
  return SiteCatalog::fromRegion({at(header_->sites), header_->sites.bytes});
}

std::span<const std::byte> BatchMemory::ringData() const {
  return {at(header_->ring) + kRingDataOffset,
          std::bit_floor(header_->ring.bytes - kRingDataOffset)};
}

} // namespace heddle
