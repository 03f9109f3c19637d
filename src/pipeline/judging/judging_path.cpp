#include "pipeline/judging/judging_path.h"

namespace heddle {

Status JudgingPath::judge(std::vector<CapturedRun> failures, std::optional<double> seconds) {
  for (CauseFinder* finder : finders_)
    finder->collect(failures);
  if (Status status = judge_.confirm(failures); !status)
    return status;
  for (CauseFinder* finder : finders_)
    if (Status status = finder->explain(failures, seconds); !status)
      return status;
  return judge_.judge(failures);
}

} // namespace heddle
