#include "store/bundle.h"

#include "store/compression.h"
#include "store/encoding.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace heddle {

namespace {

constexpr std::string_view kMagic = "heddle bundle ";
constexpr std::string_view kHeader = "heddle bundle 1\n";

/// A bundle with programs in it is large, but not larger than this.
constexpr size_t kMaxBundle = size_t{4} << 30;

/// The inside of a bundle: fields in a fixed order, each 8 bytes of length (least significant
/// first) and its bytes.
class FieldWriter {
public:
  void add(std::string_view bytes) {
    for (int shift = 0; shift < 64; shift += 8)
      text_.push_back(static_cast<char>(static_cast<uint64_t>(bytes.size()) >> shift));
    text_.append(bytes);
  }
  void addNumber(uint64_t number) { add(std::to_string(number)); }
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

/// Reads them back. After the first field that does not fit every other one is empty.
class FieldReader {
public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  std::string_view next() {
    uint64_t length = 0;
    if (rest_.size() < 8)
      return fail();
    for (size_t i = 8; i-- > 0;)
      length = length << 8 | static_cast<unsigned char>(rest_[i]);
    if (length > rest_.size() - 8)
      return fail();
    const std::string_view field = rest_.substr(8, length);
    rest_.remove_prefix(8 + length);
    return field;
  }

  std::string nextText() { return std::string(next()); }

  uint64_t nextNumber() {
    const std::string_view field = next();
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size())
      fail();
    return number;
  }

  bool failed() const { return failed_; }
  bool atEnd() const { return rest_.empty(); }

private:
  std::string_view fail() {
    failed_ = true;
    rest_ = {};
    return {};
  }

  std::string_view rest_;
  bool failed_ = false;
};

void writeRun(FieldWriter& out, const StoredRun& run) {
  StringPairs modules;
  for (const ModuleBuild& module : run.modules)
    modules.emplace_back(module.path, module.buildId);
  out.add(run.command);
  out.add(joinStrings(run.argv));
  out.add(run.cwd);
  out.add(joinPairs(run.env));
  out.add(run.input);
  out.add(joinPairs(modules));
  out.add(run.heddleVersion);
  out.add(run.strategy);
  out.addNumber(run.seed);
  out.add(run.pointsId);
  out.add(joinPairs(run.settings));
}

StoredRun readRun(FieldReader& in) {
  StoredRun run;
  run.command = in.nextText();
  run.argv = splitStrings(in.next());
  run.cwd = in.nextText();
  run.env = splitPairs(in.next());
  run.input = in.nextText();
  for (auto& [path, buildId] : splitPairs(in.next()))
    run.modules.push_back({path, buildId});
  run.heddleVersion = in.nextText();
  run.strategy = in.nextText();
  run.seed = in.nextNumber();
  run.pointsId = in.nextText();
  run.settings = splitPairs(in.next());
  return run;
}

void writePoints(FieldWriter& out, const std::optional<PointsSet>& points) {
  out.addNumber(points ? 1 : 0);
  if (!points)
    return;
  out.add(points->id);
  out.add(points->build);
  out.add(joinSites(points->sites));
}

std::optional<PointsSet> readPoints(FieldReader& in) {
  if (in.nextNumber() == 0)
    return std::nullopt;
  PointsSet points;
  points.id = in.nextText();
  points.build = in.nextText();
  points.sites = splitSites(in.next());
  return points;
}

std::vector<BundleFile> readFiles(FieldReader& in) {
  std::vector<BundleFile> files;
  const uint64_t count = in.nextNumber();
  for (uint64_t i = 0; i < count && !in.failed(); ++i) {
    BundleFile file;
    file.path = in.nextText();
    file.mode = static_cast<uint32_t>(in.nextNumber());
    file.contents = in.nextText();
    files.push_back(std::move(file));
  }
  return files;
}

Error damagedBundle(const std::string& reason) {
  return Error{"this exported finding is damaged: " + reason + "; export it again"};
}

} // namespace

std::string packBundle(const Bundle& bundle) {
  FieldWriter out;
  out.add(dumpJson(findingToJson(bundle.finding.finding)));
  out.add(bundle.finding.firstSeen);
  out.add(bundle.finding.lastSeen);
  out.addNumber(bundle.finding.timesSeen);
  writeRun(out, bundle.finding.run);
  writePoints(out, bundle.points);
  out.addNumber(bundle.files.size());
  for (const BundleFile& file : bundle.files) {
    out.add(file.path);
    out.addNumber(file.mode);
    out.add(file.contents);
  }
  return std::string(kHeader) + compress(out.text());
}

bool looksLikeBundle(std::string_view bytes) { return bytes.substr(0, kMagic.size()) == kMagic; }

Result<Bundle> unpackBundle(std::string_view bytes) {
  if (!looksLikeBundle(bytes))
    return Error{"this is not an exported finding; `heddle export ID` writes one"};
  if (bytes.substr(0, kHeader.size()) != kHeader)
    return Error{"this exported finding has another format version than 1; use the heddle that "
                 "wrote it, or export it again with heddle " HEDDLE_VERSION};
  const Result<std::string> text = decompress(bytes.substr(kHeader.size()), kMaxBundle);
  if (!text)
    return damagedBundle(text.error().message);

  FieldReader in(*text);
  Bundle bundle;
  Result<Finding> finding = parseFindingJson(in.nextText());
  if (!finding)
    return damagedBundle(finding.error().message);
  bundle.finding.finding = std::move(*finding);
  bundle.finding.firstSeen = in.nextText();
  bundle.finding.lastSeen = in.nextText();
  bundle.finding.timesSeen = in.nextNumber();
  bundle.finding.run = readRun(in);
  bundle.points = readPoints(in);
  bundle.files = readFiles(in);
  if (in.failed() || !in.atEnd())
    return damagedBundle("a field is cut or has no place");
  return bundle;
}

} // namespace heddle
