// The system that a program runs on, its processes, and how a run ends without a result.

#ifndef PROPHET_WORLD_HPP
#define PROPHET_WORLD_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "prophet_cost.h"

namespace prophet {

namespace s4u = simgrid::s4u;

// Hosts compute so many flops a second, unless a platform's file says otherwise.
constexpr double FLOPS = 1e9;

// A network without contention, after Hockney.
struct Network {
  double latency_s;
  double bytes_per_s;
  // Larger messages wait for their receives.
  uint64_t eager_bytes;
};

enum class Discipline { FirstComeFirstServed, ProcessorSharing };

// What the command line says.
struct System {
  int64_t nodes = 1;
  int64_t cpus_per_node = 1;
  int64_t processes = 0;
  int64_t threads = 1;
  uint64_t seed = 1;
  Network network{1e-6, 10e9, UINT64_MAX};
  Network intranode{0.3e-6, 20e9, UINT64_MAX};
  // The node of each process.
  std::vector<int64_t> mapping;
  Discipline discipline = Discipline::FirstComeFirstServed;
  // The algorithms of collectives, where they are not taken by size.
  std::map<std::string, std::string> algorithms;
  // A platform's file, and the host of each node: messages share its links.
  std::string platform;
  std::vector<std::string> hosts;
  bool shares_links() const { return !platform.empty(); }
};

// An element of the model.
struct Element {
  const char *name;
  int64_t id;
};

// What is executed now, for messages: actors take turns, so there is one at a time.
struct Place {
  const Element *element = nullptr;
  int64_t pid = 0;
};

inline Place &place() {
  static Place here;
  return here;
}

// The run cannot go on.
[[noreturn]] inline void fail(const std::string &why) {
  const Place &at = place();
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n  at %.9g s of simulated time, process %lld", why.c_str(),
               s4u::Engine::get_clock(), static_cast<long long>(at.pid));
  if (at.element != nullptr)
    std::fprintf(stderr, " at `%s` (id %lld)", at.element->name,
                 static_cast<long long>(at.element->id));
  std::fprintf(stderr, "\n");
  std::_Exit(3);
}

struct Key {
  double since_s;
  int64_t pid;
  int64_t tid;
  uint64_t number;
  bool operator<(const Key &other) const {
    if (since_s != other.since_s)
      return since_s < other.since_s;
    if (pid != other.pid)
      return pid < other.pid;
    if (tid != other.tid)
      return tid < other.tid;
    return number < other.number;
  }
};

struct World;
struct Process;
class Team;

// A thread of a process: what the papers call a unit.
struct Unit {
  World &world;
  Process &process;
  // Its number in the innermost region.
  int64_t thread;
  // The team that it shares constructs with, if there is one.
  Team *team;

  int64_t uid() const;
  int64_t pid() const;
  int64_t tid() const;
  int64_t nid() const;
  int64_t num_nodes() const;
  int64_t num_cpus() const;
  int64_t num_processes() const;
  int64_t num_threads() const;

  // What is evaluated next belongs to that element.
  void at(const Element &element) const;
  // The random numbers of an element.
  prophet_stream *stream(const Element &element) const;
};

// First come, first served: so many places, and who asks at one time by process and thread.
class Queue {
  struct Asking {
    s4u::ActorPtr actor;
    bool granted = false;
  };
  int64_t places_;
  int64_t taken_ = 0;
  uint64_t asked_ = 0;
  std::map<Key, Asking *> waiting_;

  void grant() {
    while (taken_ < places_ && !waiting_.empty()) {
      Asking *first = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      taken_++;
      first->granted = true;
      if (first->actor)
        first->actor->resume();
    }
  }

public:
  explicit Queue(int64_t places) : places_(places) {}

  // Takes a place that is known to be free.
  void take() { taken_++; }

  // Waits for a place, with all that ask at this time.
  void acquire(const Unit &unit) {
    Asking asking;
    waiting_.emplace(Key{s4u::Engine::get_clock(), unit.pid(), unit.tid(), asked_++}, &asking);
    s4u::this_actor::yield();
    grant();
    if (!asking.granted) {
      asking.actor = s4u::Actor::self();
      s4u::this_actor::suspend();
    }
  }

  void release() {
    taken_--;
    grant();
  }
};

// A node: a host of the platform, and who waits for its CPUs.
struct Node {
  s4u::Host *host;
  Queue cpus;
  // How many threads there are on it.
  int64_t units = 0;
};

class Inbox;
class Requests;
struct Communicator;

// A process of the program.
struct Process {
  int64_t pid;
  Node *node;
  double end_s = 0;
  std::unique_ptr<Inbox> inbox;
  std::unique_ptr<Requests> requests;
  // The locks of critical sections, by number, and of atomics, by element.
  std::map<int64_t, Queue> locks;
  std::map<const Element *, Queue> atomics;
  std::map<int64_t, prophet_stream> streams;
  // Turns of loops since that time.
  uint64_t turns = 0;
  double turning_since_s = 0;
};

struct World {
  System system;
  std::deque<Node> nodes;
  std::deque<Process> processes;
  uint64_t messages = 0;
  // Communicators: by their processes, and for each element that has one that of each process.
  std::map<std::vector<int64_t>, std::unique_ptr<Communicator>> communicators;
  std::map<const Element *, std::vector<Communicator *>> splits;
};

inline int64_t Unit::uid() const {
  return process.pid * world.system.threads + thread;
}
inline int64_t Unit::pid() const {
  return process.pid;
}
inline int64_t Unit::tid() const {
  return thread;
}
inline int64_t Unit::nid() const {
  return world.system.mapping[process.pid];
}
inline int64_t Unit::num_nodes() const {
  return world.system.nodes;
}
inline int64_t Unit::num_cpus() const {
  return world.system.cpus_per_node;
}
inline int64_t Unit::num_processes() const {
  return world.system.processes;
}
inline int64_t Unit::num_threads() const {
  return world.system.threads;
}

inline void Unit::at(const Element &element) const {
  place() = Place{&element, process.pid};
}

inline prophet_stream *Unit::stream(const Element &element) const {
  auto found = process.streams.find(element.id);
  if (found == process.streams.end()) {
    auto pid = static_cast<uint32_t>(process.pid);
    found =
        process.streams.emplace(element.id, prophet_stream_new(world.system.seed, pid, element.id))
            .first;
  }
  return &found->second;
}

// Counts a turn of a loop: one that turns for ever while no time passes would never end.
inline void turn(const Unit &unit) {
  constexpr uint64_t TURNS_MAX = 10000000;
  if (++unit.process.turns < TURNS_MAX)
    return;
  if (s4u::Engine::get_clock() == unit.process.turning_since_s)
    fail("a loop has turned ten million times without simulated time passing");
  unit.process.turning_since_s = s4u::Engine::get_clock();
  unit.process.turns = 0;
}

// No guard of a decision holds.
[[noreturn]] inline void stuck(const Unit &unit, const Element &element) {
  unit.at(element);
  fail("no guard holds");
}

// A time or a price, which cannot be negative.
inline double checked_s(const Unit &unit, const Element &element, double seconds) {
  if (!(seconds >= 0 && seconds < HUGE_VAL)) {
    unit.at(element);
    fail("the cost is " + std::to_string(seconds) + " s");
  }
  return seconds;
}

inline uint64_t checked_bytes(const Unit &unit, const Element &element, int64_t bytes) {
  if (bytes < 0) {
    unit.at(element);
    fail("the size is " + std::to_string(bytes) + " bytes");
  }
  return static_cast<uint64_t>(bytes);
}

// Computes on a CPU of the node: costs are seconds on the first one. While the node has no more
// threads than CPUs, none waits.
inline void compute(const Unit &unit, const Element &element, double cost_s) {
  const System &system = unit.world.system;
  Node &node = *unit.process.node;
  double flops = checked_s(unit, element, cost_s) * unit.world.nodes[0].host->get_speed();
  if (system.discipline == Discipline::ProcessorSharing) {
    s4u::this_actor::execute(flops);
    return;
  }
  if (node.units <= system.cpus_per_node)
    node.cpus.take();
  else
    node.cpus.acquire(unit);
  s4u::this_actor::execute(flops);
  node.cpus.release();
}

// Lets time pass without a CPU.
inline void delay(const Unit &unit, const Element &element, double cost_s) {
  s4u::this_actor::sleep_for(checked_s(unit, element, cost_s));
}

} // namespace prophet

// What arithmetic of the model calls when it cannot go on.
PROPHET_NORETURN inline void prophet_fault(prophet_fault_kind kind) {
  prophet::fail(prophet_fault_text(kind));
}

#endif
