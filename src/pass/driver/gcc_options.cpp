#include "gcc_options.h"

#include <algorithm>
#include <iterator>

namespace heddle::driver {
namespace {

// The part after "-f" or "-fno-". A trailing '-' or '=' stands for all that start so.
constexpr std::string_view kStems[] = {
    // optimization
    "aggressive-loop-optimizations",
    "allocation-dce",
    "allow-store-data-races",
    "auto-inc-dec",
    "bit-tests",
    "branch-probabilities",
    "branch-target-",
    "code-hoisting",
    "combine-stack-adjustments",
    "compare-elim",
    "conserve-stack",
    "cprop-registers",
    "crossjumping",
    "cse-",
    "dce",
    "declone-ctor-dtor",
    "delayed-branch",
    "delete-dead-exceptions",
    "devirtualize-at-ltrans",
    "dse",
    "early-inlining",
    "forward-propagate",
    "function-cse",
    "gcse-",
    "graphite",
    "graphite-identity",
    "guess-branch-probability",
    "harden-",
    "hoist-adjacent-loads",
    "if-conversion",
    "if-conversion2",
    "indirect-inlining",
    "inline-atomics",
    "inline-limit",
    "inline-limit=",
    "ipa-",
    "ira-",
    "isolate-erroneous-paths-",
    "lifetime-dse",
    "lifetime-dse=",
    "limit-function-alignment",
    "live-patching",
    "live-patching=",
    "live-range-shrinkage",
    "loop-block",
    "loop-flatten",
    "loop-interchange",
    "loop-nest-optimize",
    "loop-optimize",
    "loop-parallelize-all",
    "loop-strip-mine",
    "loop-unroll-and-jam",
    "lra-remat",
    "lto-odr-type-merging",
    "lto-report",
    "lto-report-wpa",
    "lto-partition=",
    "lto-compression-level=",
    "fat-lto-objects",
    "move-loop-",
    "optimize-register-move",
    "optimize-strlen",
    "partial-inlining",
    "peephole",
    "peephole2",
    "predictive-commoning",
    "printf-return-value",
    "profile-partial-training",
    "profile-reorder-functions",
    "regmove",
    "reorder-blocks-",
    "reorder-functions",
    "rerun-cse-after-loop",
    "rerun-loop-opt",
    "reschedule-modulo-scheduled-loops",
    "sched-",
    "sched2-",
    "schedule-fusion",
    "section-anchors",
    "sel-sched-",
    "selective-scheduling",
    "selective-scheduling2",
    "shrink-wrap",
    "shrink-wrap-separate",
    "split-ivs-in-unroller",
    "split-loops",
    "split-paths",
    "split-wide-types",
    "split-wide-types-early",
    "ssa-backprop",
    "ssa-phiopt",
    "stdarg-opt",
    "store-merging",
    "thread-jumps",
    "toplevel-reorder",
    "trampolines",
    "tree-",
    "unconstrained-commons",
    "unroll-completely-grow-size",
    "vect-cost-model=",
    "version-loops-for-strides",
    "vpt",
    "web",
    "weak",
    // messages, reports and debug information
    "analyzer",
    "analyzer-",
    "callgraph-info",
    "canonical-system-headers",
    "checking",
    "compare-debug",
    "diagnostics-generate-patch",
    "diagnostics-plain-output",
    "diagnostics-show-caret",
    "diagnostics-show-cwe",
    "diagnostics-show-labels",
    "diagnostics-show-path-depths",
    "dump-",
    "eliminate-dwarf2-dups",
    "emit-class-debug-always",
    "emit-struct-debug-",
    "extended-identifiers",
    "mem-report",
    "mem-report-wpa",
    "merge-debug-strings",
    "opt-info",
    "opt-info-",
    "post-ipa-mem-report",
    "pre-ipa-mem-report",
    "pretty-templates",
    "profile-report",
    "report-bug",
    "stack-usage",
    "stats",
    "time-report-details",
    "track-macro-expansion",
    "track-macro-expansion=",
    "var-tracking",
    "var-tracking-",
    // language details that clang has fixed
    "concepts",
    "concepts-ts",
    "ext-numeric-literals",
    "fold-simple-inlines",
    "gnu-unique",
    "implicit-constexpr",
    "keep-gc-roots-live",
    "new-inheriting-ctors",
    "new-ttp-matching",
    "nothrow-opt",
    "strong-eval-order",
    "strong-eval-order=",
    "sync-libcalls",
    "use-cxa-get-exception-ptr",
};

// Machine options, with their "-m".
constexpr std::string_view kMachine[] = {
    "-maccumulate-outgoing-args",
    "-mno-accumulate-outgoing-args",
    "-mno-align-stringops",
    "-mfp-ret-in-387",
    "-mno-fp-ret-in-387",
    "-mno-fancy-math-387",
    "-minline-stringops-dynamically",
    "-mno-push-args",
    "-mpush-args",
    "-mindirect-branch-register",
    "-mprefer-avx128",
    "-mcld",
    "-mrecord-mcount",
    "-mnop-mcount",
    "-mrelax-cmpxchg-loop",
    "-m128bit-long-double",
    "-mneeded",
    "-mno-direct-extern-access",
};

bool matches(std::string_view stem, std::string_view name) {
  bool isPrefix = stem.ends_with('-') || stem.ends_with('=');
  return isPrefix ? name.starts_with(stem) : name == stem;
}

bool isIgnorableStem(std::string_view name) {
  return std::any_of(std::begin(kStems), std::end(kStems),
                     [&](std::string_view stem) { return matches(stem, name); });
}

// clang knows these although their stem is in the table.
constexpr std::string_view kKnownToClang[] = {
    "-ftree-vectorize",
    "-fno-tree-vectorize",
    "-ftree-slp-vectorize",
    "-fno-tree-slp-vectorize",
    "-ftree-ter",
    "-fno-tree-ter",
    "-ftree-vrp",
    "-fno-tree-vrp",
    "-ftree-dse",
    "-fno-tree-dse",
    "-fipa-cp",
    "-fno-ipa-cp",
    "-fno-lto",
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
};

} // namespace

bool isIgnorableGccOption(std::string_view argument) {
  if (std::find(std::begin(kKnownToClang), std::end(kKnownToClang), argument) !=
      std::end(kKnownToClang))
    return false;
  if (std::find(std::begin(kMachine), std::end(kMachine), argument) != std::end(kMachine))
    return true;
  if (argument.starts_with("-fno-"))
    return isIgnorableStem(argument.substr(5));
  return argument.starts_with("-f") && isIgnorableStem(argument.substr(2));
}

} // namespace heddle::driver
