#pragma once

#include "model/finding.h"

#include <string>
#include <vector>

namespace heddle {

/// The steps of a finding as a table: a column per thread, a row per step, the location at the
/// end of the row. With more threads than columns fit, the thread is named in a column of its own.
/// Rows that another thread than the one before starts because of a deviation from the default
/// schedule begin with ">>". Of more than `maxSteps` rows the middle is left out. A table of at
/// most `columns` characters (0: any) has shorter names, then no folders of files, then one column
/// for all threads.
std::vector<std::string> interleavingTable(const Finding& finding, unsigned maxSteps,
                                           unsigned columns = 0);

} // namespace heddle
