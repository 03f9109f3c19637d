#pragma once

#include "model/candidate.h"
#include "model/result.h"
#include "model/site_catalog.h"

#include <set>
#include <string>
#include <vector>

namespace heddle {

/// What somebody says about atomic sets and units of work, in a file or in the source;
/// docs/atomicity.md has the statements. Names are written as in the source, qualified as far as
/// necessary.
class SetAnnotations {
public:
  static Result<SetAnnotations> read(const std::string& path);

  /// Adds what the source says with HEDDLE_ATOMIC_SET and HEDDLE_NOT_IN_SET. Returns the places
  /// where it is not known which member is meant.
  std::vector<std::string> addDeclarations(const SiteCatalog& sites);

  /// Adds a function, by its linkage name, that is taken for a unit though nobody said so.
  void addUnit(const std::string& linkageName) { guessedUnits_.insert(linkageName); }

  /// An error for the first name that nothing in the program has.
  Status check(const SiteCatalog& sites) const;
  /// The linkage names of functions that are declared to be units.
  std::set<std::string> declaredUnits(const SiteCatalog& sites) const;
  /// Identities of the entries that stand for all that such a function uses: they are recorded only
  /// when they are listed.
  std::set<uint64_t> declaredEntries(const SiteCatalog& sites) const;
  /// Whether the pattern counts; notes in it that its set is declared.
  bool apply(Candidate& pattern, const SiteCatalog& sites) const;

private:
  struct Name {
    std::string text;
    unsigned line = 0; ///< of the file; 0: the source says it
  };
  using Names = std::vector<Name>;

  Status parse(const std::string& text);
  Status take(const std::string& word, Names names, unsigned line);
  Error wrong(unsigned line, const std::string& what) const;
  bool isDeclared(const PatternInfo& pattern) const;
  /// Whether somebody has declared which members of the pattern's class belong together.
  bool hasDeclaredSet(const std::string& set) const;

  std::string path_;
  Names units_, notUnits_, notInSets_;
  std::vector<Names> sets_;
  std::set<std::string> guessedUnits_; ///< linkage names
};

} // namespace heddle
