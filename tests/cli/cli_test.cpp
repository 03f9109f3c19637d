#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

/// Drives the command as a user does, in a folder of its own.
class CommandLine : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle-cli-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Ran heddle(const std::string& words, const std::string& before = "") {
    std::string command = "cd " + folder_.string() + " && " + before + " " HEDDLE_PROGRAM " " +
                          words + " >out 2>err </dev/null";
    int status = system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder_ / "out"),
            contents(folder_ / "err")};
  }
  Ran fake(const std::string& command, const std::string& settings = "") {
    return heddle(command + " " HEDDLE_FAKE_PROGRAM " " + settings);
  }
  static Json parse(const Ran& ran) {
    Json json = Json::parse(ran.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << ran.out << ran.err;
    return json;
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  fs::path folder_;
};

TEST_F(CommandLine, CheckFindsNothing) {
  Ran ran = fake("check --runs 50");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "nothing found")) << ran.out;
  EXPECT_EQ(ran.err, "") << "quiet when all is well, and no progress outside a terminal";
}

TEST_F(CommandLine, CheckPrintsTheFindingAndHowToReplayIt) {
  Ran ran = fake("check --runs 50", "fail=20 events=6");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.out, "fake.cpp:20:5: warning: assertion failed: counter == 2")) << ran.out;
  EXPECT_TRUE(has(ran.out, "SUMMARY:")) << ran.out;
  EXPECT_TRUE(has(ran.out, "replay: heddle replay H-")) << ran.out;
  EXPECT_FALSE(has(ran.out, "\033[")) << "no colour outside a terminal";
}

TEST_F(CommandLine, JsonHasTheContract) {
  Json json = parse(fake("check --runs 50 --format json", "fail=20"));
  EXPECT_TRUE(json.at("heddle").is_string());
  EXPECT_EQ(json.at("command"), "check");
  EXPECT_GE(json.at("runs"), 20);
  EXPECT_TRUE(json.at("seconds").is_number());
  const Json& finding = json.at("findings").at(0);
  EXPECT_EQ(finding.at("kind"), "assertion");
  EXPECT_EQ(finding.at("status"), "confirmed");
  EXPECT_EQ(finding.at("sites").at(0).at("object"), "counter");
  EXPECT_EQ(finding.at("failure").at("message"), "assertion failed: counter == 2");
  EXPECT_EQ(finding.at("schedule").get<std::string>().substr(0, 9), "heddle-1;");
}

TEST_F(CommandLine, ReplayRepeatsTheDigest) {
  Json found = parse(fake("check --runs 50 --format json", "fail=20"));
  std::string id = found.at("findings").at(0).at("id");
  Ran ran = heddle("replay --format json --times 5 " + id);
  EXPECT_EQ(ran.code, 2) << ran.err;
  Json json = parse(ran);
  EXPECT_EQ(json.at("runs"), 5);
  EXPECT_EQ(json.at("outcome"), "failed");
  EXPECT_EQ(json.at("trace_digest").get<std::string>().size(), 16u);
  Ran text = heddle("replay '" + found.at("findings").at(0).at("schedule").get<std::string>() +
                    "' " HEDDLE_FAKE_PROGRAM " fail=20 --format json");
  EXPECT_EQ(text.code, 2) << "options behind the program are the program's: " << text.err;
}

TEST_F(CommandLine, ReplayUnderATool) {
  Json found = parse(fake("check --runs 50 --format json", "fail=20"));
  std::string id = found.at("findings").at(0).at("id");
  Ran ran = heddle("replay " + id + " -- env HEDDLE_TEST_MARK=1");
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(CommandLine, ExportAndReplayTheFile) {
  Json found = parse(fake("check --runs 50 --format json", "fail=20"));
  std::string id = found.at("findings").at(0).at("id");
  Ran ran = heddle("export " + id + " --output bug.heddle");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(heddle("replay bug.heddle --store elsewhere").code, 2);
}

TEST_F(CommandLine, ReportShowsStoredFindings) {
  fake("check --runs 50", "fail=20");
  Ran ran = heddle("report --format json");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(parse(ran).at("findings").size(), 1u);
  EXPECT_EQ(heddle("report --format sarif").code, 2);
  EXPECT_EQ(heddle("report H-0000").code, 1);
  EXPECT_EQ(heddle("report --store nowhere").code, 1);
}

TEST_F(CommandLine, OutputGoesToAFile) {
  Ran ran = fake("check --runs 50 --format json --output report.json", "fail=20");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(Json::accept(contents(folder_ / "report.json")));
}

TEST_F(CommandLine, OutputHasAShortForm) {
  Ran ran = fake("check --runs 50 --format html -o report.html", "fail=20");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(contents(folder_ / "report.html"), "<!doctype html>"));
}

TEST_F(CommandLine, TheJsonHasWhatAPageNeeds) {
  fake("check --runs 50", "fail=20");
  Json json = parse(heddle("report --format json"));
  EXPECT_EQ(json.at("format"), 2);
  EXPECT_EQ(json.at("time").get<std::string>().size(), 20u);
  EXPECT_TRUE(json.at("sources").is_array());
  ASSERT_EQ(json.at("commands_run").size(), 1u);
  EXPECT_EQ(json.at("commands_run")[0].at("command"), "check");
  EXPECT_EQ(json.at("commands_run")[0].at("findings"), 1);
}

TEST_F(CommandLine, ReportOpensAPage) {
  fake("check --runs 50", "fail=20");
  std::filesystem::create_directory(folder_ / "bin");
  std::ofstream(folder_ / "bin/xdg-open") << "#!/bin/sh\necho \"$1\" > opened\n";
  std::filesystem::permissions(folder_ / "bin/xdg-open", std::filesystem::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", ((folder_ / "bin").string() + ":" + path).c_str(), 1);
  EXPECT_EQ(heddle("report --open").code, 2);
  EXPECT_EQ(contents(folder_ / "opened"), ".heddle/report.html\n");
  EXPECT_TRUE(has(contents(folder_ / ".heddle/report.html"), "<!doctype html>"));
  EXPECT_EQ(heddle("report --open -o other.html").code, 2);
  EXPECT_EQ(contents(folder_ / "opened"), "other.html\n");
  EXPECT_EQ(heddle("report --open --format json").code, 1);
  std::ofstream(folder_ / "bin/xdg-open") << "#!/bin/sh\nexit 3\n";
  Ran ran = heddle("report --open");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "open it in a browser")) << ran.err;
  setenv("PATH", path.c_str(), 1);
}

TEST_F(CommandLine, AFullDiskLosesNoFinding) {
  Ran ran = fake("check --runs 50 --output /dev/full", "fail=20");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "cannot write the report to /dev/full")) << ran.err;
  EXPECT_TRUE(has(ran.out, "assertion failed: counter == 2")) << ran.out;
}

TEST_F(CommandLine, AnUnusableStoreLosesNoFinding) {
  std::ofstream(folder_ / "file") << "not a folder";
  Ran ran = fake("check --runs 50 --store file", "fail=20");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "warning:")) << ran.err;
  EXPECT_TRUE(has(ran.out, "assertion failed: counter == 2")) << ran.out;
}

TEST_F(CommandLine, SitesAreReadable) {
  Ran ran = fake("sites");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "fake.cpp:20:5  write of 4 counter  in worker")) << ran.out;
  Json json = parse(fake("sites --format json"));
  EXPECT_EQ(json.at("sites").size(), 2u);
}

TEST_F(CommandLine, RunTellsAboutItsRun) {
  Json json = parse(fake("run --seed 7 --format json"));
  EXPECT_EQ(json.at("last_run").at("seed"), 7);
  EXPECT_EQ(json.at("last_run").at("outcome"), "finished");
}

TEST_F(CommandLine, DoctorSaysWhatWorks) {
  Ran ran = heddle("doctor");
  EXPECT_TRUE(has(ran.out, "kernel")) << ran.out;
  EXPECT_TRUE(has(ran.out, "FSGSBASE")) << ran.out;
  EXPECT_FALSE(parse(heddle("doctor --format json")).at("checks").empty());
}

TEST_F(CommandLine, MisspeltWordsAreUnderstood) {
  Ran ran = heddle("chekc ./prog");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "did you mean 'check'?")) << ran.err;
  ran = fake("check --sed 3");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "did you mean --seed?")) << ran.err;
  ran = fake("check --format jsn");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "json")) << ran.err;
  ran = fake("check --runs many");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "'many' is not a number")) << ran.err;
}

TEST_F(CommandLine, EachWrongProgramHasItsSentence) {
  EXPECT_TRUE(has(heddle("check /bin/sh").err, "compile it with heddle-c++"));
  EXPECT_TRUE(has(heddle("check ./nothing").err, "No such file"));
  EXPECT_TRUE(has(heddle("check").err, "no program given"));
  std::ofstream(folder_ / "script") << "#!/bin/sh\n";
  fs::permissions(folder_ / "script", fs::perms::owner_all);
  EXPECT_TRUE(has(heddle("check ./script").err, "is a script"));
  EXPECT_EQ(heddle("check /bin/sh").code, 1);
}

TEST_F(CommandLine, ControlThatIsLostIsExit4) {
  Ran ran = fake("check --runs 50 --hang-seconds 0.3", "hang=20");
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(has(ran.err, "without a scheduling point in worker()")) << ran.err;
  Json json = parse(fake("check --runs 50 --format json", "die=20"));
  EXPECT_TRUE(has(json.at("error"), "SIGKILL"));
}

TEST_F(CommandLine, OptionsFromTheEnvironment) {
  Ran ran = heddle("check --format json " HEDDLE_FAKE_PROGRAM, "HEDDLE_OPTIONS=runs=33:seed=500");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_GE(parse(ran).at("runs"), 33);
  EXPECT_LT(parse(ran).at("runs"), 60);
  ran = heddle("check " HEDDLE_FAKE_PROGRAM, "HEDDLE_OPTIONS=rums=3");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "did you mean 'runs'?")) << ran.err;
}

TEST_F(CommandLine, HelpAndVersion) {
  EXPECT_EQ(heddle("--help").code, 0);
  EXPECT_TRUE(has(heddle("help").out, "check"));
  EXPECT_TRUE(has(heddle("check --help").out, "--keep-going"));
  EXPECT_TRUE(has(heddle("help options").out, "max_steps"));
  EXPECT_TRUE(has(heddle("version").out, "heddle "));
  EXPECT_EQ(heddle("").code, 1);
}

TEST_F(CommandLine, InterruptKeepsWhatWasFound) {
  std::string command = "cd " + folder_.string() +
                        " && exec " HEDDLE_PROGRAM
                        " check --keep-going --seconds 60 --settled-runs 0 --format json "
                        "--isolation exec " HEDDLE_FAKE_PROGRAM " fail=3 >out 2>err </dev/null";
  pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  usleep(1'500'000);
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  Json json = Json::parse(contents(folder_ / "out"), nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << contents(folder_ / "out") << contents(folder_ / "err");
  EXPECT_EQ(json.at("findings").size(), 1u);
  EXPECT_EQ(heddle("report").code, 2) << "and it is in the store";
}

TEST_F(CommandLine, TheProgramsArgumentsAreItsOwn) {
  Ran ran = fake("check --runs 30 --format json", "--runs fail=20 -- x");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(parse(ran).at("arguments"), (Json{"--runs", "fail=20", "--", "x"}));
  ran = heddle("check --runs 30 --format json -- " HEDDLE_FAKE_PROGRAM " fail=20");
  EXPECT_EQ(ran.code, 2) << ran.err;
}

} // namespace
