#include "pipeline/judging/stored_run.h"

#include "model/shell_words.h"

namespace heddle {

std::string storeOption(const std::string& storeDirectory) {
  if (storeDirectory == Options().store)
    return " ";
  return " --store " + shellQuoted(storeDirectory) + " ";
}

std::string storedReplay(const CommandContext& context, const std::string& id) {
  auto name = context.store()->nameOf(id, context.program().executable);
  return "heddle replay" + storeOption(context.options().store) + shellQuoted(name ? *name : id);
}

StoredRun storedRun(const CommandContext& context, const std::string& command,
                    const CapturedRun& failing) {
  const Program& program = context.program();
  StoredRun run;
  run.command = command;
  run.argv = program.arguments;
  run.cwd = program.directory;
  for (const std::string& variable : program.environment) {
    size_t equals = variable.find('=');
    run.env.emplace_back(variable.substr(0, equals),
                         equals == std::string::npos ? "" : variable.substr(equals + 1));
  }
  run.input = program.input;
  run.modules.push_back({program.executable, program.buildId});
  for (const ProgramModule& module : context.notes.modules())
    if (module.path != program.executable)
      run.modules.push_back({module.path, module.buildId});
  run.heddleVersion = HEDDLE_VERSION;
  run.strategy = strategyName(failing.strategy);
  run.seed = failing.record.result.seed;
  run.pointsId = failing.schedule.pointsName;
  run.settings = {{"points", context.options().points},
                  {"input", program.hasInput ? "copy" : "none"},
                  {"max_steps", std::to_string(failing.schedule.maxSteps)},
                  {"time", context.options().time},
                  {"normal_exit", std::to_string(context.notes.normalExitStatus())}};
  return run;
}

} // namespace heddle
