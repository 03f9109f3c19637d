#include "response_files.h"

#include <fstream>
#include <sstream>

namespace heddle::driver {
namespace {

// A response file may name others; one that names itself must not hang the driver.
constexpr int kMaxDepth = 20;

/// GNU's rules: blanks separate, quotes group, a backslash takes the next character as it is.
std::vector<std::string> tokenize(const std::string& text) {
  std::vector<std::string> tokens;
  std::string token;
  bool inToken = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      token += text[++i];
      inToken = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        token += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inToken = true;
    } else if (!blank) {
      token += c;
      inToken = true;
    } else if (inToken) {
      tokens.push_back(std::move(token));
      token.clear();
      inToken = false;
    }
  }
  if (inToken)
    tokens.push_back(std::move(token));
  return tokens;
}

void expandInto(const std::vector<std::string>& arguments, int depth,
                std::vector<std::string>& result) {
  for (const std::string& argument : arguments) {
    std::ifstream file;
    if (argument.size() > 1 && argument[0] == '@' && depth < kMaxDepth)
      file.open(argument.substr(1));
    if (!file.is_open()) {
      result.push_back(argument);
      continue;
    }
    std::stringstream text;
    text << file.rdbuf();
    expandInto(tokenize(text.str()), depth + 1, result);
  }
}

} // namespace

std::vector<std::string> expandResponseFiles(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  expandInto(arguments, 0, result);
  return result;
}

} // namespace heddle::driver
