#pragma once

namespace heddle {

/// Ctrl-C, SIGTERM and SIGHUP (unless it is ignored, as nohup does) set a flag that every wait of
/// the controller looks at: stages end, keep what they have, and the command exits with 130. A
/// second Ctrl-C ends heddle at once.
void installInterruptHandlers();
bool interrupted();
/// Whether a Ctrl-C has come, deferred or not: work that nobody needs ends then at once.
bool interruptRequested();

/// How long confirmations may go on after a Ctrl-C or the end of the time budget. Together with
/// what a session needs to end a run, about a second.
inline constexpr double kConfirmationGraceSeconds = 0.8;

/// What was found before a Ctrl-C is worth the moment that its confirmation takes: while one of
/// these lives, interrupted() is false for that moment. A second Ctrl-C still ends heddle at once.
class DeferInterrupts {
public:
  DeferInterrupts();
  ~DeferInterrupts();
  DeferInterrupts(const DeferInterrupts&) = delete;
  DeferInterrupts& operator=(const DeferInterrupts&) = delete;
};

/// For tests.
void setInterrupted(bool value);

} // namespace heddle
