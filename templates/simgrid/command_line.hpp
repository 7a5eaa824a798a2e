// The command line of a generated program: the system and the model's parameters, in plain numbers.

#ifndef PROPHET_COMMAND_LINE_HPP
#define PROPHET_COMMAND_LINE_HPP

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include "prophet_prices.h"
#include "world.hpp"

namespace prophet {

// A parameter of the model, and the variable that has its value.
struct Parameter {
  const char *name;
  int64_t *whole;
  double *real;
  bool *truth;
};

[[noreturn]] inline void usage(const std::string &problem) {
  std::fprintf(stderr, "error: %s\nFor more information, try '--help'.\n", problem.c_str());
  std::exit(2);
}

inline int64_t whole_number(const std::string &flag, const char *text) {
  char *end = nullptr;
  errno = 0;
  long long number = std::strtoll(text, &end, 10);
  if (end == text || *end != 0 || errno != 0)
    usage("invalid value '" + std::string(text) + "' for '" + flag + "': it is a whole number");
  return number;
}

inline double real_number(const std::string &flag, const char *text) {
  char *end = nullptr;
  double number = std::strtod(text, &end);
  if (end == text || *end != 0)
    usage("invalid value '" + std::string(text) + "' for '" + flag + "': it is a number");
  return number;
}

class CommandLine {
  System system_;
  std::vector<Parameter> parameters_;
  std::vector<prophet_operation *> operations_;
  const char *machine_ = nullptr;
  std::map<std::string, std::function<void(const std::string &, const char *)>> flags_;

  void count(const char *flag, int64_t &value) {
    flags_[flag] = [&value](const std::string &name, const char *text) {
      value = whole_number(name, text);
      if (value < 1)
        usage("invalid value '" + std::string(text) + "' for '" + name + "': it is at least 1");
    };
  }

  void network(const std::string &prefix, Network &value) {
    flags_["--" + prefix + "latency"] = [&value](const std::string &name, const char *text) {
      value.latency_s = real_number(name, text);
    };
    flags_["--" + prefix + "bandwidth"] = [&value](const std::string &name, const char *text) {
      value.bytes_per_s = real_number(name, text);
    };
    flags_["--" + prefix + "eager"] = [&value](const std::string &name, const char *text) {
      value.eager_bytes = static_cast<uint64_t>(whole_number(name, text));
    };
  }

  static std::pair<std::string, const char *> assignment(const std::string &flag,
                                                         const char *text) {
    const char *equals = std::strchr(text, '=');
    if (equals == nullptr)
      usage("invalid value '" + std::string(text) + "' for '" + flag + "': it is NAME=VALUE");
    return {std::string(text, equals), equals + 1};
  }

  void set(const std::string &flag, const char *text) {
    auto [name, value] = assignment(flag, text);
    for (const Parameter &parameter : parameters_) {
      if (name != parameter.name)
        continue;
      if (parameter.whole != nullptr)
        *parameter.whole = whole_number(flag, value);
      else if (parameter.real != nullptr)
        *parameter.real = real_number(flag, value);
      else
        *parameter.truth = std::string(value) == "true";
      return;
    }
    usage("the model has no parameter `" + name + "`");
  }

  // The parts of a list with commas between them.
  static std::vector<std::string> parts(const char *text) {
    std::vector<std::string> parts(1);
    for (const char *at = text; *at != 0; at++) {
      if (*at == ',')
        parts.emplace_back();
      else
        parts.back() += *at;
    }
    return parts;
  }

  void mapping(const std::string &flag, const char *text) {
    system_.mapping.clear();
    for (const std::string &part : parts(text))
      system_.mapping.push_back(whole_number(flag, part.c_str()));
  }

  void discipline(const char *text) {
    if (std::strcmp(text, "processor-sharing") == 0)
      system_.discipline = Discipline::ProcessorSharing;
    else if (std::strcmp(text, "fcfs") == 0)
      system_.discipline = Discipline::FirstComeFirstServed;
    else
      usage("the discipline `" + std::string(text) +
            "` is not expressed here (fcfs, processor-sharing)");
  }

  void help(const char *program) const {
    std::printf("Simulates the model with SimGrid\n\nUsage: %s [--FLAG VALUE]...\n\nFlags:\n",
                program);
    for (const auto &[name, read] : flags_)
      std::printf("  %s\n", name.c_str());
    std::printf("\nTimes are in seconds, sizes in bytes, --mapping is the node of each process.\n"
                "--machine is a file: the prices in its table [operations] are read.\n"
                "--platform is a file of SimGrid, whose links messages share, --hosts the host of\n"
                "each node in it, with commas between them; each node has one process at most.\n"
                "Parameters of the model (--set NAME=VALUE):");
    for (const Parameter &parameter : parameters_)
      std::printf(" %s", parameter.name);
    std::printf("\n--cfg and --log are SimGrid's own.\n");
  }

  // Only the prices of operations are read from the machine's file.
  void price() {
    char problem[1000];
    if (!prophet_read_prices(machine_, operations_.data(), operations_.size(), problem,
                             sizeof problem))
      usage(problem);
  }

  // Messages within a node would take the platform's links, or none.
  void check_hosts() const {
    if (static_cast<int64_t>(system_.hosts.size()) < system_.nodes)
      usage("--hosts names the host of each node of the --platform");
    std::vector<int64_t> nodes = system_.mapping;
    std::sort(nodes.begin(), nodes.end());
    if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end())
      usage("with --platform, each node has one process at most");
  }

  void complete() {
    int64_t processes = system_.processes;
    if (processes == 0)
      processes = system_.processes = system_.nodes * system_.cpus_per_node;
    if (system_.mapping.empty()) {
      for (int64_t pid = 0; pid < processes; pid++)
        system_.mapping.push_back(pid * system_.nodes / processes);
    }
    if (static_cast<int64_t>(system_.mapping.size()) != processes)
      usage("the mapping has " + std::to_string(system_.mapping.size()) + " entries");
    for (int64_t nid : system_.mapping) {
      if (nid < 0 || nid >= system_.nodes)
        usage("the mapping names the node " + std::to_string(nid));
    }
    if (system_.shares_links())
      check_hosts();
  }

public:
  CommandLine(std::vector<Parameter> parameters, std::vector<prophet_operation *> operations)
      : parameters_(std::move(parameters)), operations_(std::move(operations)) {
    count("--nodes", system_.nodes);
    count("--cpus-per-node", system_.cpus_per_node);
    count("--processes", system_.processes);
    count("--threads", system_.threads);
    flags_["--seed"] = [this](const std::string &name, const char *text) {
      char *end = nullptr;
      system_.seed = std::strtoull(text, &end, 10);
      if (end == text || *end != 0)
        usage("invalid value '" + std::string(text) + "' for '" + name + "': it is a whole number");
    };
    network("", system_.network);
    network("intranode-", system_.intranode);
    flags_["--mapping"] = [this](const std::string &name, const char *text) {
      mapping(name, text);
    };
    flags_["--discipline"] = [this](const std::string &, const char *text) { discipline(text); };
    flags_["--collective"] = [this](const std::string &name, const char *text) {
      auto [collective, algorithm] = assignment(name, text);
      system_.algorithms[collective] = algorithm;
    };
    flags_["--platform"] = [this](const std::string &, const char *text) {
      system_.platform = text;
    };
    flags_["--hosts"] = [this](const std::string &, const char *text) {
      system_.hosts = parts(text);
    };
    flags_["--machine"] = [this](const std::string &, const char *text) { machine_ = text; };
    flags_["--set"] = [this](const std::string &name, const char *text) { set(name, text); };
  }

  // SimGrid has taken its own flags already.
  System read(int argc, char **argv) {
    for (int at = 1; at < argc; at += 2) {
      if (std::strcmp(argv[at], "--help") == 0) {
        help(argv[0]);
        std::exit(0);
      }
      auto flag = flags_.find(argv[at]);
      if (flag == flags_.end())
        usage("unexpected argument '" + std::string(argv[at]) + "'");
      if (at + 1 == argc)
        usage("a value is required for '" + std::string(argv[at]) + "'");
      flag->second(argv[at], argv[at + 1]);
    }
    complete();
    price();
    return system_;
  }
};

} // namespace prophet

#endif
