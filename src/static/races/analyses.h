#pragma once

#include "static/program/annotations.h"
#include "static/races/activations.h"
#include "static/sharing/escape.h"

namespace heddle::analysis {

/// What the analyses of a program have found out, for those that look at pairs of accesses.
struct Analyses {
  const llvm::Module& module;
  const CallGraph& graph;
  const PointsTo& pointsTo;
  const Threads& threads;
  const Locks& locks;
  const HandOvers& handOvers;
  const MayHappenInParallel& parallel;
  const Escape& escape;
  const Freshness& freshness;
  const Ownership& ownership;
  Activations& activations;
  Sites& sites;
  Paths& paths;
  const Annotations& annotations;
};

} // namespace heddle::analysis
