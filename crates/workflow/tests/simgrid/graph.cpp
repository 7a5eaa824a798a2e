// Runs a graph of executions and communications that it reads, and prints the makespan.
//
// Input: the hosts with their speeds, latency and bandwidth of the link between each two, the
// tasks with host and operations, the pairs of tasks with the bytes that go from one to the other.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

namespace s4u = simgrid::s4u;

int main(int argc, char **argv) {
  s4u::Engine engine(&argc, argv);
  // What messages cost is their latency and their bytes; the rest is off.
  for (const char *option : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
                             "network/weight-S:0", "network/bandwidth-factor:1",
                             "network/latency-factor:1", "surf/precision:1e-9",
                             "maxmin/precision:1e-9"})
    s4u::Engine::set_config(option);
  std::ifstream input(argv[1]);
  int hosts, tasks, edges;
  double latency_s, bytes_per_s;
  auto *zone = s4u::create_full_zone("zone");
  input >> hosts;
  std::vector<s4u::Host *> host(hosts);
  for (int at = 0; at < hosts; at++) {
    double speed;
    input >> speed;
    host[at] = zone->create_host("host" + std::to_string(at), speed);
  }
  input >> latency_s >> bytes_per_s;
  for (int from = 0; from < hosts; from++)
    for (int to = from + 1; to < hosts; to++) {
      auto *link = zone->create_link(std::to_string(from) + "-" + std::to_string(to), bytes_per_s);
      link->set_latency(latency_s)->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->seal();
      zone->add_route(host[from]->get_netpoint(), host[to]->get_netpoint(), nullptr, nullptr,
                      std::vector<s4u::LinkInRoute>{s4u::LinkInRoute(link)}, true);
    }
  zone->seal();
  input >> tasks;
  std::vector<s4u::ExecPtr> task(tasks);
  std::vector<int> place(tasks);
  for (int at = 0; at < tasks; at++) {
    double operations;
    input >> place[at] >> operations;
    task[at] = s4u::Exec::init()->set_name("task" + std::to_string(at));
    task[at]->set_flops_amount(operations)->set_host(host[place[at]]);
  }
  input >> edges;
  std::vector<s4u::CommPtr> messages;
  for (int at = 0; at < edges; at++) {
    int from, to;
    double bytes;
    input >> from >> to >> bytes;
    if (bytes == 0 || place[from] == place[to]) {
      task[from]->add_successor(task[to]);
      continue;
    }
    auto message = s4u::Comm::sendto_init(host[place[from]], host[place[to]]);
    message->set_name("message" + std::to_string(at))->set_payload_size(bytes);
    task[from]->add_successor(message);
    message->add_successor(task[to]);
    messages.push_back(message);
  }
  if (!input) return 1;
  for (auto &it : messages) it->vetoable_start();
  for (auto &it : task) it->vetoable_start();
  engine.run();
  for (auto &it : task)
    if (it->get_state() != s4u::Activity::State::FINISHED) return 2;
  std::printf("%.17g\n", s4u::Engine::get_clock());
}
