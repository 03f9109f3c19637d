#include "sync_names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace heddle::pass {
namespace {

constexpr std::string_view kNames[] = {
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__cxa_allocate_exception",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_free_exception",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_thread_atexit",
    "__cxa_thread_atexit_impl",
    "__cxa_throw",
    "__fork",
    "_exit",
    "_Exit",
    "accept",
    "accept4",
    "abort",
    "alarm",
    "aligned_alloc",
    "asprintf",
    "atexit",
    "call_once",
    "calloc",
    "clock",
    "clock_gettime",
    "clock_nanosleep",
    "close",
    "closedir",
    "connect",
    "daemon",
    "dlclose",
    "dlopen",
    "dprintf",
    "dup",
    "dup2",
    "dup3",
    "epoll_ctl",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "eventfd_read",
    "eventfd_write",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "exit",
    "fclose",
    "fcntl",
    "fdatasync",
    "fgetc",
    "fgets",
    "flock",
    "flockfile",
    "fopen",
    "fork",
    "fread",
    "free",
    "fsync",
    "ftrylockfile",
    "funlockfile",
    "futex",
    "fwrite",
    "getaddrinfo",
    "getc",
    "getchar",
    "getdelim",
    "getentropy",
    "getline",
    "getrandom",
    "gettimeofday",
    "kill",
    "listen",
    "lockf",
    "longjmp",
    "malloc",
    "memalign",
    "mmap",
    "mmap64",
    "mprotect",
    "mq_receive",
    "mq_send",
    "mq_timedreceive",
    "mq_timedsend",
    "mremap",
    "msgrcv",
    "msgsnd",
    "munmap",
    "nanosleep",
    "open",
    "open64",
    "openat",
    "openat64",
    "pause",
    "pclose",
    "pipe",
    "pipe2",
    "poll",
    "popen",
    "posix_memalign",
    "posix_spawn",
    "posix_spawnp",
    "ppoll",
    "pread",
    "pread64",
    "preadv",
    "preadv2",
    "pselect",
    "pvalloc",
    "pwrite",
    "pwrite64",
    "pwritev",
    "pwritev2",
    "quick_exit",
    "raise",
    "rand",
    "random",
    "read",
    "readv",
    "realloc",
    "reallocarray",
    "recv",
    "recvfrom",
    "recvmmsg",
    "recvmsg",
    "sched_getcpu",
    "sched_setaffinity",
    "sched_yield",
    "select",
    "semget",
    "semop",
    "semtimedop",
    "send",
    "sendfile",
    "sendmmsg",
    "sendmsg",
    "sendto",
    "setitimer",
    "shutdown",
    "sigaction",
    "siglongjmp",
    "signal",
    "sigprocmask",
    "sigqueue",
    "sigsuspend",
    "sigtimedwait",
    "sigwait",
    "sigwaitinfo",
    "sleep",
    "socket",
    "socketpair",
    "splice",
    "strdup",
    "strndup",
    "syscall",
    "system",
    "tcdrain",
    "time",
    "timer_create",
    "timer_delete",
    "timer_settime",
    "timerfd_settime",
    "times",
    "timespec_get",
    "usleep",
    "valloc",
    "vasprintf",
    "vfork",
    "wait",
    "wait3",
    "wait4",
    "waitid",
    "waitpid",
    "write",
    "writev",
};

constexpr std::string_view kPrefixes[] = {
    "heddle_",
    "pthread_",
    "sem_",
    "thrd_",
    "mtx_",
    "cnd_",
    "tss_",
    "__cxa_guard_",
    "__atomic_", // libatomic: objects too large for the processor
    "__kmpc_",   // OpenMP, clang
    "omp_",
    "GOMP_",                             // OpenMP, gcc
    "_Znw",                              // operator new
    "_Zna",                              // operator new[]
    "_Zdl",                              // operator delete
    "_Zda",                              // operator delete[]
    "_ZNSt6thread",                      // std::thread
    "_ZNSt18condition_variable",         // std::condition_variable
    "_ZNSt3_V222condition_variable_any", // std::condition_variable_any in older headers
    "_ZNSt28__atomic_futex_unsigned_base",
    "_ZNSt13__future_base",
    "_ZNSt7promiseIvE",
    "_ZNSt11this_thread",
    "_ZNSt6chrono3_V2", // clocks
    "_ZSt9terminatev",
    "_ZSt10unexpectedv",
    "_ZSt16__get_once_mutex",
    "_ZSt27__set_once_functor_lock_ptr",
    "_ZSt17rethrow_exception",
    "_ZSt20__throw_system_errori",
    "_ZSt16__throw_bad_cast",
    "_ZSt25notify_all_at_thread_exit",
    "_ZNSt10_Sp_locker", // atomic operations on std::shared_ptr
};

/// Only functions that are called often: whether others are in a library that heddle knows is found
/// out at run time.
constexpr std::string_view kHarmless[] = {
    "abs",     "atan2",   "atof",    "atoi",     "atol",    "ceil",    "cos",      "exp",
    "fabs",    "floor",   "fmod",    "fputc",    "fputs",   "log",     "log2",     "memchr",
    "memcmp",  "memcpy",  "memmove", "memset",   "pow",     "printf",  "putchar",  "puts",
    "qsort",   "round",   "sin",     "sqrt",     "strcat",  "strchr",  "strcmp",   "strcpy",
    "strlen",  "strncmp", "strncpy", "strrchr",  "strstr",  "strtod",  "strtol",   "tan",
    "tolower", "toupper", "bcmp",    "snprintf", "sprintf", "fprintf", "vsnprintf"};

constexpr std::string_view kHarmlessPrefixes[] = {
    "_ZNSt",        "_ZNKSt",   "_ZSt",     "_ZNSs",     "_ZNKSs",   "_ZNSo",
    "_ZNSi",        "_ZTW",     "_ZTH",     "__cxa_",    "_Unwind_", "__gxx_",
    "__stack_chk_", "__errno_", "__ctype_", "__isoc99_", "__clang_", "__dynamic_cast"};

template <size_t N> constexpr auto sorted(const std::string_view (&names)[N]) {
  std::array<std::string_view, N> result{};
  std::copy(std::begin(names), std::end(names), result.begin());
  std::sort(result.begin(), result.end());
  return result;
}

constexpr auto kSortedNames = sorted(kNames);
constexpr auto kSortedHarmless = sorted(kHarmless);

} // namespace

bool isSyncName(std::string_view linkageName) {
  if (std::binary_search(kSortedNames.begin(), kSortedNames.end(), linkageName))
    return true;
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return linkageName.starts_with(prefix); });
}

bool isHarmlessName(std::string_view linkageName) {
  if (std::binary_search(kSortedHarmless.begin(), kSortedHarmless.end(), linkageName))
    return true;
  return std::any_of(std::begin(kHarmlessPrefixes), std::end(kHarmlessPrefixes),
                     [&](std::string_view prefix) { return linkageName.starts_with(prefix); });
}

} // namespace heddle::pass
