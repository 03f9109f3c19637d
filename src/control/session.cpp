#include "control/session.h"

#include "control/plan_runner.h"

namespace heddle {

Result<Session> Session::create(std::shared_ptr<const Program> program,
                                const SessionOptions& options) {
  auto memory = BatchMemory::create();
  if (!memory)
    return memory.error();
  auto scratch = Scratch::create(program->input, program->hasInput);
  if (!scratch)
    return scratch.error();
  return Session(std::make_unique<PlanRunner>(std::move(program), options, std::move(*memory),
                                              std::move(*scratch)));
}

Session::Session(std::unique_ptr<PlanRunner> runner) : runner_(std::move(runner)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<BatchReport> Session::execute(const PlanRequest& request, const EventSink& sink,
                                     bool wantLast) {
  return runner_->execute(request, sink, wantLast);
}
Result<std::shared_ptr<const SiteCatalog>> Session::sites() { return runner_->sites(); }
Session::Notes Session::notes() const { return runner_->notes(); }
pid_t Session::processId() const { return runner_->processId(); }
Isolation Session::isolation() const { return runner_->isolation(); }
const std::string& Session::isolationReason() const { return runner_->isolationReason(); }
std::span<const uint64_t> Session::behaviours() const { return runner_->memory().behaviourLog(); }
void Session::setCancel(const std::atomic<bool>* cancel) { runner_->setCancel(cancel); }
void Session::end() { runner_->endProcess(); }

} // namespace heddle
