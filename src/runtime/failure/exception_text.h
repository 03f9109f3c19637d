#pragma once

/// The exception that the running thread is handling, as text.
namespace heddle::rt {

/// The type, readable if the program's C++ library can demangle it, else as "_ZTI..."; null when no
/// exception is being handled (or the program has no C++ library).
const char* currentExceptionType();
/// What the exception says: what() of a std::exception, a thrown string or number; "" when there
/// is no text. Runs code of the program.
const char* currentExceptionText();

} // namespace heddle::rt
