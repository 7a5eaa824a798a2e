// Threads of a process, as OpenMP has them: further actors on the host of the process.

#ifndef PROPHET_THREADS_HPP
#define PROPHET_THREADS_HPP

#include <optional>
#include <set>

#include "world.hpp"

namespace prophet {

// Who asks at one time takes its turn by process and thread.
class Turns {
  std::set<Key> asking_;
  uint64_t asked_ = 0;

public:
  void take(const Unit &unit) {
    Key key{s4u::Engine::get_clock(), unit.pid(), unit.tid(), asked_++};
    asking_.insert(key);
    do
      s4u::this_actor::yield();
    while (*asking_.begin() < key);
    asking_.erase(key);
  }
};

// The threads that run a region together, and what they share.
class Team {
  s4u::BarrierPtr barrier_;
  int64_t at_barrier_ = 0;

public:
  const int64_t size;
  Turns turns;
  // How much of the current construct has been taken.
  uint64_t taken = 0;

  explicit Team(int64_t threads) : barrier_(s4u::Barrier::create(threads)), size(threads) {}

  // Ends the construct that the team is in: nobody goes on before all have come.
  void meet() {
    if (++at_barrier_ == size) {
      at_barrier_ = 0;
      taken = 0;
    }
    barrier_->wait();
  }
};

// So many threads, or as many as the system says.
using Threads = std::optional<int64_t>;
constexpr std::nullopt_t DEFAULT_THREADS = std::nullopt;
constexpr int64_t TEAM_MAX = 65536;

// Runs `body` once for each thread, and waits for all. The actor that comes here is thread 0.
template <typename Body>
void fork_join(const Unit &unit, int64_t threads, Team *team, const Body &body) {
  Node &node = *unit.process.node;
  node.units += threads - 1;
  // Making an actor lets others run: all threads set out together when all are there.
  s4u::BarrierPtr start = s4u::Barrier::create(threads);
  std::vector<s4u::ActorPtr> others;
  for (int64_t tid = 1; tid < threads; tid++) {
    Unit member{unit.world, unit.process, tid, team};
    others.push_back(s4u::Actor::create("thread", node.host, [member, start, &body] {
      start->wait();
      body(member);
    }));
  }
  start->wait();
  body(Unit{unit.world, unit.process, 0, team});
  for (const s4u::ActorPtr &other : others)
    other->join();
  node.units -= threads - 1;
}

template <typename Body>
void parallel(const Unit &unit, const Element &element, Threads threads, const Body &body) {
  int64_t size = threads.value_or(unit.num_threads());
  if (size < 1 || size > TEAM_MAX) {
    unit.at(element);
    fail("a team of " + std::to_string(size) + " threads");
  }
  Team team(size);
  fork_join(unit, size, &team, body);
}

// The branches of a fork: threads that share no constructs.
template <typename Body>
void fork(const Unit &unit, int64_t branches, const Body &body) {
  fork_join(unit, branches, nullptr, body);
}

enum class Schedule { Static, Dynamic, Guided };

// The iterations of a loop, from 0, and how threads take them.
struct Work {
  uint64_t count;
  Schedule schedule;
  std::optional<uint64_t> chunk;
};

inline Work work(const Unit &unit, const Element &element, int64_t count, Schedule schedule,
                 std::optional<int64_t> chunk) {
  unit.at(element);
  if (count < 0)
    fail("the number of iterations is " + std::to_string(count));
  if (chunk && *chunk < 1)
    fail("the chunk is " + std::to_string(*chunk));
  return Work{static_cast<uint64_t>(count), schedule, chunk};
}

template <typename Body>
void run_from(const Unit &unit, uint64_t first, uint64_t size, uint64_t count, const Body &body) {
  for (uint64_t number = first; number < first + std::min(size, count - first); number++)
    body(unit, static_cast<int64_t>(number));
}

// The part of a thread of what is shared beforehand.
template <typename Body>
void run_static(const Unit &unit, uint64_t threads, const Work &work, const Body &body) {
  auto tid = static_cast<uint64_t>(unit.tid());
  if (!work.chunk) {
    uint64_t even = work.count / threads;
    uint64_t more = work.count % threads;
    run_from(unit, tid * even + std::min(tid, more), even + (tid < more), work.count, body);
    return;
  }
  uint64_t chunk = std::min(*work.chunk, std::max<uint64_t>(work.count, 1));
  for (uint64_t first = tid * chunk; first < work.count; first += threads * chunk)
    run_from(unit, first, chunk, work.count, body);
}

// A thread's part of a loop.
template <typename Body>
void run_part(const Unit &unit, Team &team, const Work &work, const Body &body) {
  auto threads = static_cast<uint64_t>(team.size);
  if (work.schedule == Schedule::Static) {
    run_static(unit, threads, work, body);
    return;
  }
  uint64_t chunk = work.chunk.value_or(1);
  while (team.taken < work.count) {
    if (threads > 1)
      team.turns.take(unit);
    if (team.taken >= work.count)
      return;
    uint64_t rest = work.count - team.taken;
    uint64_t part = work.schedule == Schedule::Guided ? (rest + threads - 1) / threads : chunk;
    uint64_t first = team.taken;
    team.taken += std::min(std::max(part, chunk), rest);
    run_from(unit, first, team.taken - first, work.count, body);
  }
}

// A loop that the team shares; or, without one or for a number of threads of its own, a new team.
template <typename Body>
void paralleldo(const Unit &unit, const Element &element, Threads threads, const Work &work,
                const Body &body) {
  if (unit.team != nullptr && !threads) {
    run_part(unit, *unit.team, work, body);
    unit.team->meet();
    return;
  }
  parallel(unit, element, threads,
           [&](const Unit &member) { run_part(member, *member.team, work, body); });
}

// Sections go to who is free.
template <typename Body>
void parallelsections(const Unit &unit, const Element &element, Threads threads, uint64_t count,
                      const Body &body) {
  paralleldo(unit, element, threads, Work{count, Schedule::Dynamic, 1}, body);
}

template <typename Body>
void locked(const Unit &unit, Queue &lock, const Body &body) {
  lock.acquire(unit);
  body(unit);
  lock.release();
}

// One thread of the process at a time, of those at elements with this lock.
template <typename Body>
void critical(const Unit &unit, int64_t lock, const Body &body) {
  locked(unit, unit.process.locks.try_emplace(lock, 1).first->second, body);
}

// One thread of the process at a time, of those at this element.
template <typename Body>
void atomic(const Unit &unit, const Element &element, const Body &body) {
  locked(unit, unit.process.atomics.try_emplace(&element, 1).first->second, body);
}

// The first thread of the team to come; the others wait for it.
template <typename Body>
void single(const Unit &unit, const Body &body) {
  Team *team = unit.team;
  if (team == nullptr) {
    body(unit);
    return;
  }
  if (team->taken == 0) {
    team->turns.take(unit);
    if (team->taken++ == 0)
      body(unit);
  }
  team->meet();
}

// The first thread of the team; the others pass by.
template <typename Body>
void master(const Unit &unit, const Body &body) {
  if (unit.team == nullptr || unit.tid() == 0)
    body(unit);
}

inline void ompbarrier(const Unit &unit) {
  if (unit.team != nullptr)
    unit.team->meet();
}

} // namespace prophet

#endif
