#pragma once

namespace heddle {

/// Ctrl-C and SIGTERM set a flag that every wait of the controller looks at: stages end, keep what
/// they have, and the command exits with 130. A second Ctrl-C ends heddle at once.
void installInterruptHandlers();
bool interrupted();
/// For tests.
void setInterrupted(bool value);

} // namespace heddle
