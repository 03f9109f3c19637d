#pragma once

#include "model/result.h"
#include "store/database.h"

namespace heddle {

/// The version of store.db's tables. Another number is another format: no store is ever migrated
/// in place, so that an older heddle beside a newer one cannot lose anything.
inline constexpr int kStoreVersion = 2;

/// Whether the file is empty, or a store of this version; an error that says what to do if it is
/// anything else. Changes nothing.
enum class StoreState { Empty, Current };
Result<StoreState> inspectSchema(Database& database, const std::string& directory);

/// Creates the tables unless another process was faster.
Status createSchema(Database& database, const std::string& directory);

} // namespace heddle
