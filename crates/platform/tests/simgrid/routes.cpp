// Prints routes of SimGrid: for each pair of hosts on a line of the input, with a tab between, the
// latency, and name and bandwidth of each link; or `none`.

#include <simgrid/s4u.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

static void print(const simgrid::s4u::Engine& engine, const std::string& from, const std::string& to)
{
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;
  engine.host_by_name(from)->route_to(engine.host_by_name(to), links, &latency);
  std::printf("%.17g", latency);
  for (const auto* link : links)
    std::printf("\t%s\t%.17g", link->get_cname(), link->get_bandwidth());
  std::printf("\n");
}

int main(int argc, char* argv[])
{
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  engine.seal_platform();
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto tab = line.find('\t');
    std::fflush(stdout);
    // A route that is not there ends the process: each has one of its own.
    const pid_t child = fork();
    if (child == 0) {
      alarm(5); // Some shortest routes are searched without end.
      try {
        print(engine, line.substr(0, tab), line.substr(tab + 1));
        std::fflush(stdout);
        _exit(0);
      } catch (...) {
        _exit(1);
      }
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0)
      std::printf("none\n");
  }
}
