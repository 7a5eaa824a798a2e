// The platform that the system describes, the run of a program on it, and its result.

#ifndef PROPHET_RUN_HPP
#define PROPHET_RUN_HPP

#include <chrono>

#include <sys/resource.h>

#include "collectives.hpp"
#include "command_line.hpp"
#include "messages.hpp"
#include "threads.hpp"

namespace prophet {

// SimGrid's CM02 without the corrections that fit it to TCP. On links that are not shared that is
// Hockney's model: a message takes latency + bytes / bandwidth whatever else is under way.
inline void configure() {
  for (const char *setting :
       {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0", "network/weight-S:0",
        "network/bandwidth-factor:1", "network/latency-factor:1"})
    s4u::Engine::set_config(setting);
}

inline s4u::Link *link(s4u::NetZone *zone, const std::string &name, const Network &network) {
  auto *made = zone->create_link(name, network.bytes_per_s);
  made->set_latency(network.latency_s)->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
  return made->seal();
}

// A star of hosts: each has a link for what it sends to others, and one for what stays within.
inline void build_star(World &world) {
  const System &system = world.system;
  s4u::NetZone *zone = s4u::create_star_zone("cluster");
  for (int64_t nid = 0; nid < system.nodes; nid++) {
    std::string name = std::to_string(nid);
    s4u::Host *host = zone->create_host(name, FLOPS);
    host->set_core_count(static_cast<int>(system.cpus_per_node))->seal();
    s4u::LinkInRoute out(link(zone, "out" + name, system.network));
    s4u::LinkInRoute within(link(zone, "within" + name, system.intranode));
    auto *here = host->get_netpoint();
    zone->add_route(here, nullptr, nullptr, nullptr, std::vector<s4u::LinkInRoute>{out}, false);
    zone->add_route(nullptr, here, nullptr, nullptr, std::vector<s4u::LinkInRoute>{}, false);
    zone->add_route(here, here, nullptr, nullptr, std::vector<s4u::LinkInRoute>{within}, false);
    world.nodes.push_back(Node{host, Queue(system.cpus_per_node)});
  }
  zone->seal();
}

// The hosts of a platform's file.
inline void load(World &world, s4u::Engine &engine) {
  const System &system = world.system;
  engine.load_platform(system.platform);
  for (int64_t nid = 0; nid < system.nodes; nid++) {
    s4u::Host *host = engine.host_by_name_or_null(system.hosts[nid]);
    if (host == nullptr)
      usage("the platform has no host `" + system.hosts[nid] + "`");
    world.nodes.push_back(Node{host, Queue(system.cpus_per_node)});
  }
}

inline void build(World &world, s4u::Engine &engine) {
  const System &system = world.system;
  if (system.shares_links())
    load(world, engine);
  else
    build_star(world);
  for (int64_t pid = 0; pid < system.processes; pid++) {
    Node *node = &world.nodes[system.mapping[pid]];
    node->units++;
    Process &process = world.processes.emplace_back();
    process.pid = pid;
    process.node = node;
    process.inbox = std::make_unique<Inbox>();
    process.requests = std::make_unique<Requests>();
  }
}

inline void print(const World &world, double wall_s) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  double end_s = 0;
  for (const Process &process : world.processes)
    end_s = std::max(end_s, process.end_s);
  std::printf("{\n  \"predicted_time_s\": %.17g,\n", end_s);
  std::printf("  \"evaluation\": {\"engine\": \"simgrid\", \"wall_s\": %.9f, \"messages\": %llu, "
              "\"peak_memory_bytes\": %lld},\n",
              wall_s, static_cast<unsigned long long>(world.messages),
              static_cast<long long>(used.ru_maxrss) * 1024);
  std::printf("  \"processes\": [");
  for (const Process &process : world.processes)
    std::printf("%s\n    {\"pid\": %lld, \"nid\": %lld, \"end_s\": %.17g}",
                process.pid == 0 ? "" : ",", static_cast<long long>(process.pid),
                static_cast<long long>(world.system.mapping[process.pid]), process.end_s);
  std::printf("\n  ]\n}\n");
}

// Runs `program` as each process, and prints the result.
template <typename Program>
int main(int argc, char **argv, std::vector<Parameter> parameters, Program program,
         std::vector<prophet_operation *> operations = {}) {
  s4u::Engine engine(&argc, argv);
  World world;
  world.system = CommandLine(std::move(parameters), std::move(operations)).read(argc, argv);
  configure();
  build(world, engine);
  for (Process &process : world.processes) {
    s4u::Actor::create(std::to_string(process.pid), process.node->host,
                       [&world, &process, &program] {
                         program(Unit{world, process, 0, nullptr});
                         process.end_s = s4u::Engine::get_clock();
                       });
  }
  s4u::Engine::on_deadlock_cb([] {
    place() = Place{};
    std::fprintf(stderr, "error: deadlock at %.9g s of simulated time\n", s4u::Engine::get_clock());
    std::_Exit(3);
  });
  auto start = std::chrono::steady_clock::now();
  engine.run();
  std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  print(world, wall.count());
  return 0;
}

} // namespace prophet

#endif
