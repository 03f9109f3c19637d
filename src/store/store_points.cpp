#include "store/store.h"

#include "store/database.h"
#include "store/encoding.h"

#include <algorithm>

namespace heddle {

namespace {

Result<std::optional<PointsSet>> readSet(Statement& query) {
  const Result<bool> row = query.next();
  if (!row)
    return row.error();
  if (!*row)
    return std::optional<PointsSet>();
  return std::optional<PointsSet>({query.bytes(0), query.bytes(1), splitSites(query.bytes(2))});
}

Result<std::optional<PointsSet>> readCurrent(Database& database, const std::string& build) {
  Statement query(database, "SELECT p.id, p.build, p.sites FROM points p "
                            "JOIN current_points c ON c.id = p.id WHERE c.build = ?");
  query.bind(build);
  return readSet(query);
}

Status writeSet(Database& database, const PointsSet& set) {
  Statement insert(database,
                   "INSERT OR IGNORE INTO points(id, build, sites, created) VALUES(?, ?, ?, ?)");
  return insert.bind(set.id)
      .bind(set.build)
      .bindBlob(joinSites(set.sites))
      .bind(timestampNow())
      .run();
}

Status makeCurrent(Database& database, const PointsSet& set) {
  Statement insert(database, "INSERT OR REPLACE INTO current_points(build, id) VALUES(?, ?)");
  return insert.bind(set.build).bind(set.id).run();
}

std::vector<SiteIdentity> sortedOnce(std::vector<SiteIdentity> sites) {
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  return sites;
}

} // namespace

Result<PointsSet> Store::addPoints(const std::string& build,
                                   const std::vector<SiteIdentity>& sites) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun().error();
  const auto current = readCurrent(*database_, build);
  if (!current)
    return current.error();
  std::vector<SiteIdentity> united = sites;
  if (*current)
    united.insert(united.end(), (*current)->sites.begin(), (*current)->sites.end());
  PointsSet set{"", build, sortedOnce(std::move(united))};
  set.id = pointsSetId(build, set.sites);
  if (*current && (*current)->id == set.id)
    return set;
  if (Status written = writeSet(*database_, set); !written)
    return written.error();
  if (Status written = makeCurrent(*database_, set); !written)
    return written.error();
  if (Status committed = transaction.commit(); !committed)
    return committed.error();
  return set;
}

Result<std::optional<PointsSet>> Store::currentPoints(const std::string& build) const {
  return readCurrent(*database_, build);
}

Result<PointsSet> Store::points(const std::string& id) const {
  Statement query(*database_, "SELECT id, build, sites FROM points WHERE id = ?");
  query.bind(id);
  auto set = readSet(query);
  if (!set)
    return set.error();
  if (!*set)
    return Error{"there is no set of scheduling points " + id + " in the store " + directory_ +
                 "; name the store of the recording with --store DIR"};
  return std::move(**set);
}

Status Store::importPoints(const PointsSet& set) {
  Transaction transaction(*database_);
  if (!transaction.begun())
    return transaction.begun();
  if (Status written = writeSet(*database_, set); !written)
    return written;
  return transaction.commit();
}

} // namespace heddle
