// Collectives, message by message: the algorithms of MPICH 3.3.2 (src/mpi/coll), as loops over
// sends and receives, and the choice among them by size and number of ranks.

#ifndef PROPHET_COLLECTIVES_HPP
#define PROPHET_COLLECTIVES_HPP

#include <functional>

#include "messages.hpp"

namespace prophet {

// A call of a collective: all ranks of a communicator have to make the same.
struct Call {
  std::string name;
  int64_t root;
  uint64_t bytes;
  bool priced;
  int64_t come = 0;
  std::vector<s4u::ActorPtr> waiting;
};

// A set of processes, ranked by their numbers.
struct Communicator {
  // 1 for the first: 0 is the context of the program's own messages.
  uint64_t context;
  std::vector<int64_t> members;
  // How many collectives each rank has called, and the calls that not all have made.
  std::vector<uint64_t> made;
  std::map<uint64_t, Call> calls;
};

inline Communicator &communicator_of(World &world, const std::vector<int64_t> &members) {
  auto &known = world.communicators[members];
  if (!known) {
    known = std::make_unique<Communicator>();
    known->context = world.communicators.size();
    known->members = members;
    known->made.resize(members.size());
  }
  return *known;
}

// What one rank does in a call.
class Rank {
  const Unit &unit_;
  Communicator &communicator_;
  uint64_t call_;

public:
  using Size = uint64_t;
  const int64_t ranks;
  int64_t rank;
  int64_t root;
  Size bytes;

  Rank(const Unit &unit, Communicator &communicator, uint64_t call, int64_t root_, Size bytes_)
      : unit_(unit), communicator_(communicator), call_(call),
        ranks(static_cast<int64_t>(communicator.members.size())), root(root_), bytes(bytes_) {
    const auto &members = communicator.members;
    rank = std::lower_bound(members.begin(), members.end(), unit.pid()) - members.begin();
  }

  void send(int64_t to, Size size) {
    Envelope envelope{unit_.pid(), 0, communicator_.context};
    send_eagerly(unit_.world, unit_.pid(), communicator_.members[to], envelope, call_, size);
  }

  void receive(int64_t from) {
    auto posted =
        post(unit_, Envelope{communicator_.members[from], 0, communicator_.context}, call_);
    wait_for(*posted);
  }

  void exchange(int64_t to, Size size, int64_t from) {
    send(to, size);
    receive(from);
  }

  // The sizes of the parts of the vector.
  std::vector<Size> cut(int64_t parts) const {
    std::vector<Size> sizes(parts, bytes / parts);
    for (int64_t part = 0; part < static_cast<int64_t>(bytes % parts); part++)
      sizes[part]++;
    return sizes;
  }

  std::vector<Size> blocks() const { return std::vector<Size>(ranks, bytes); }

  static Size sum(const std::vector<Size> &sizes, int64_t first, int64_t end) {
    Size all = 0;
    for (int64_t at = first; at < std::min(end, static_cast<int64_t>(sizes.size())); at++)
      all += sizes[at];
    return all;
  }

  int64_t relative() const { return (rank + ranks - root) % ranks; }
  int64_t absolute(int64_t relative) const { return (relative + root) % ranks; }

  // From the root to each other rank, or back.
  void star(bool out) {
    if (rank != root) {
      out ? receive(root) : send(root, bytes);
      return;
    }
    for (int64_t other = 0; other < ranks; other++) {
      if (other != root)
        out ? send(other, bytes) : receive(other);
    }
  }

  void with_each(const std::vector<Size> &sizes) {
    for (int64_t other = 0; other < ranks; other++) {
      if (other != rank)
        send(other, sizes[other]);
    }
    for (int64_t other = 0; other < ranks; other++) {
      if (other != rank)
        receive(other);
    }
  }

  // SimGrid's default selector: each rank sends to all behind it; blocks go to each from the root.
  void scan_directly() {
    for (int64_t other = rank + 1; other < ranks; other++)
      send(other, bytes);
    for (int64_t other = 0; other < rank; other++)
      receive(other);
  }

  void star_of_parts() {
    if (rank != root) {
      receive(root);
      return;
    }
    std::vector<Size> sizes = cut(ranks);
    for (int64_t other = 1; other < ranks; other++)
      send(other, sizes[other]);
  }

  void along() {
    if (rank > 0)
      receive(rank - 1);
    if (rank + 1 < ranks)
      send(rank + 1, bytes);
  }

  // MPIR_Bcast_intra_binomial, MPIR_Scatter_intra_binomial, MPII_Scatter_for_bcast: what a subtree
  // gets depends on its first rank and the one behind it.
  void down_the_tree(const std::function<Size(int64_t, int64_t)> &size) {
    int64_t here = relative();
    int64_t mask = 1;
    for (; mask < ranks; mask <<= 1) {
      if (here & mask) {
        receive((rank + ranks - mask) % ranks);
        break;
      }
    }
    for (mask >>= 1; mask > 0; mask >>= 1) {
      int64_t first = here + mask;
      if (first < ranks)
        send((rank + mask) % ranks, size(first, std::min(first + mask, ranks)));
    }
  }

  void broadcast_binomial() {
    down_the_tree([this](int64_t, int64_t) { return bytes; });
  }

  // MPIR_Reduce_intra_binomial, MPIR_Gather_intra_binomial.
  void up_the_tree(bool has_blocks) {
    int64_t here = relative();
    int64_t held = 1;
    for (int64_t mask = 1; mask < ranks; mask <<= 1) {
      if (here & mask) {
        send(absolute(here & ~mask), has_blocks ? static_cast<Size>(held) * bytes : bytes);
        return;
      }
      int64_t source = here | mask;
      if (source < ranks) {
        receive(absolute(source));
        held += std::min(mask, ranks - source);
      }
    }
  }

  // The largest power of two among the ranks.
  int64_t core() const {
    int64_t core = 1;
    while (2 * core <= ranks)
      core *= 2;
    return core;
  }

  // The even ranks of the first pairs hand over; gives the place of one that takes part, else -1.
  int64_t fold_to_odd() {
    int64_t rest = ranks - core();
    if (rank >= 2 * rest)
      return rank - rest;
    if (rank % 2 == 0) {
      send(rank + 1, bytes);
      return -1;
    }
    receive(rank - 1);
    return rank / 2;
  }

  void unfold(Size back) {
    if (rank >= 2 * (ranks - core()))
      return;
    rank % 2 == 1 ? send(rank - 1, back) : receive(rank + 1);
  }

  int64_t odd(int64_t place) const {
    int64_t rest = ranks - core();
    return place < rest ? place * 2 + 1 : place + rest;
  }

  int64_t even(int64_t place) const {
    int64_t rest = ranks - core();
    return place < rest ? place * 2 : place + rest;
  }

  // MPIR_Allreduce_intra_recursive_doubling.
  void reduce_doubling() {
    int64_t place = fold_to_odd();
    for (int64_t mask = 1; place >= 0 && mask < core(); mask <<= 1) {
      int64_t partner = odd(place ^ mask);
      exchange(partner, bytes, partner);
    }
    unfold(bytes);
  }

  // MPIR_Scan_intra_recursive_doubling.
  void scan_doubling() {
    for (int64_t mask = 1; mask < ranks; mask <<= 1) {
      int64_t partner = rank ^ mask;
      if (partner < ranks)
        exchange(partner, bytes, partner);
    }
  }

  // MPIR_Allgather_intra_recursive_doubling, for blocks of these sizes.
  void gather_doubling(const std::vector<Size> &sizes) {
    int64_t here = relative();
    for (int64_t mask = 1; mask < ranks; mask <<= 1) {
      int64_t partner = here ^ mask;
      int64_t mine = here & ~(mask - 1);
      int64_t theirs = partner & ~(mask - 1);
      if (partner < ranks)
        exchange(absolute(partner), sum(sizes, mine, mine + mask), absolute(partner));
      // Where the partners' tree is not full, those who got their blocks hand them on.
      if (theirs + mask > ranks && ranks > mine + mask)
        hand_on(sizes, mask, mine, here);
    }
  }

  void hand_on(const std::vector<Size> &sizes, int64_t mask, int64_t mine, int64_t here) {
    int64_t completed = ranks - mine - mask;
    for (int64_t apart = mask >> 1; apart > 0; apart >>= 1) {
      int64_t partner = here ^ apart;
      int64_t tree = here & ~(2 * apart - 1);
      bool have = here < tree + completed;
      bool lack = partner >= tree + completed;
      if (partner > here && have && lack)
        send(absolute(partner), sum(sizes, mine + mask, ranks));
      else if (partner < here && !have && !lack)
        receive(absolute(partner));
    }
  }

  // The reduce-scatter of Rabenseifner's algorithm; gives the first of the parts that a place ends
  // with, and the end of those that it had before.
  std::pair<int64_t, int64_t> halve(int64_t place, const std::function<int64_t(int64_t)> &real) {
    int64_t places = core();
    std::vector<Size> sizes = cut(places);
    int64_t first = 0;
    int64_t next = 0;
    int64_t last = places;
    for (int64_t mask = 1; mask < places; mask <<= 1) {
      int64_t partner = place ^ mask;
      Size size;
      if (place < partner) {
        first = next + places / (mask * 2);
        size = sum(sizes, first, last);
      } else {
        next = first + places / (mask * 2);
        size = sum(sizes, first, next);
      }
      exchange(real(partner), size, real(partner));
      first = next;
      if (2 * mask < places)
        last = next + places / (2 * mask);
    }
    return {first, last};
  }

  // MPIR_Allreduce_intra_reduce_scatter_allgather.
  void reduce_rabenseifner() {
    int64_t places = core();
    std::vector<Size> sizes = cut(places);
    int64_t place = fold_to_odd();
    if (place >= 0) {
      auto [first, last] = halve(place, [this](int64_t at) { return odd(at); });
      for (int64_t mask = places >> 1; mask > 0; mask >>= 1) {
        int64_t partner = odd(place ^ mask);
        int64_t next = join(place, mask, first, last);
        Size size = place < (place ^ mask) ? sum(sizes, first, next) : sum(sizes, first, last);
        exchange(partner, size, partner);
        if (place > (place ^ mask))
          first = next;
      }
    }
    unfold(bytes);
  }

  // Where the partner's parts begin when the parts are put together; moves the end of the own ones.
  int64_t join(int64_t place, int64_t mask, int64_t first, int64_t &last) const {
    int64_t places = core();
    if (place > (place ^ mask))
      return first - places / (mask * 2);
    if (mask != places / 2)
      last += places / (mask * 2);
    return first + places / (mask * 2);
  }

  // MPIR_Reduce_intra_reduce_scatter_gather.
  void reduce_rabenseifner_to_root() {
    int64_t places = core();
    int64_t rest = ranks - places;
    std::vector<Size> sizes = cut(places);
    int64_t place = rank - rest;
    if (rank < 2 * rest) {
      if (rank % 2 == 1) {
        send(rank - 1, bytes);
        place = -1;
      } else {
        receive(rank + 1);
        place = rank / 2;
      }
    }
    int64_t first = 0;
    int64_t last = 2;
    if (place >= 0)
      std::tie(first, last) = halve(place, [this](int64_t at) { return even(at); });
    bool odd_root = root < 2 * rest && root % 2 == 1;
    int64_t root_place = odd_root ? 0 : root < 2 * rest ? root / 2 : root - rest;
    if (odd_root && rank == root) {
      receive(0);
      place = 0;
      first = 0;
      last = 2;
    } else if (odd_root && place == 0) {
      send(root, sizes[0]);
      place = -1;
    }
    int64_t bits = 0;
    while (int64_t{1} << bits < places)
      bits++;
    for (int64_t mask = places >> 1; place >= 0 && mask > 0; mask >>= 1) {
      bits--;
      int64_t partner = place ^ mask;
      int64_t real = partner == 0 && odd_root ? root : even(partner);
      int64_t next = join(place, mask, first, last);
      Size size = place < partner ? sum(sizes, first, next) : sum(sizes, first, last);
      if (partner >> bits == root_place >> bits) {
        send(real, size);
        return;
      }
      receive(real);
      if (place > partner)
        first = next;
    }
  }

  // MPIR_Reduce_scatter_intra_recursive_halving.
  void reduce_scatter_halving() {
    int64_t places = core();
    int64_t rest = ranks - places;
    std::vector<Size> old = cut(ranks);
    int64_t place = fold_to_odd();
    if (place >= 0) {
      std::vector<Size> sizes;
      for (int64_t at = 0; at < places; at++)
        sizes.push_back(odd(at) < 2 * rest ? old[odd(at)] + old[odd(at) - 1] : old[odd(at)]);
      int64_t first = 0;
      int64_t next = 0;
      int64_t last = places;
      for (int64_t mask = places >> 1; mask > 0; mask >>= 1) {
        int64_t partner = odd(place ^ mask);
        Size size;
        if (place < (place ^ mask)) {
          first = next + mask;
          size = sum(sizes, first, last);
        } else {
          next = first + mask;
          size = sum(sizes, first, next);
        }
        exchange(partner, size, partner);
        first = next;
        last = next + mask;
      }
    }
    unfold(old[rank - rank % 2]);
  }

  // MPIR_Allgather_intra_ring: blocks of these sizes, from one of them on.
  void ring(const std::vector<Size> &sizes, int64_t first) {
    int64_t block = first % ranks;
    for (int64_t turn = 1; turn < ranks; turn++) {
      exchange((rank + 1) % ranks, sizes[block], (rank + ranks - 1) % ranks);
      block = (ranks + block - 1) % ranks;
    }
  }

  // MPIR_Alltoall_intra_pairwise, MPIR_Reduce_scatter_intra_pairwise.
  void pairwise(const std::vector<Size> &sizes, bool pairs) {
    for (int64_t turn = 1; turn < ranks; turn++) {
      int64_t to = pairs ? rank ^ turn : (rank + turn) % ranks;
      int64_t from = pairs ? rank ^ turn : (rank + ranks - turn) % ranks;
      exchange(to, sizes[to], from);
    }
  }

  // MPIR_Allgather_intra_brucks.
  void gather_bruck() {
    for (int64_t distance = 1; distance < ranks; distance *= 2) {
      int64_t count = std::min(distance, ranks - distance);
      exchange((rank + ranks - distance) % ranks, static_cast<Size>(count) * bytes,
               (rank + distance) % ranks);
    }
  }

  // MPIR_Alltoall_intra_brucks, and MPIR_Barrier_intra_dissemination, whose blocks are empty.
  void bruck() {
    for (int64_t distance = 1; distance < ranks; distance *= 2) {
      Size count = 0;
      for (int64_t block = 1; bytes > 0 && block < ranks; block++)
        count += (block & distance) != 0;
      exchange((rank + distance) % ranks, count * bytes, (rank + ranks - distance) % ranks);
    }
  }

  // Does the collective; false if it has no such algorithm.
  bool perform(const std::string &name, const std::string &algorithm);
};

inline bool Rank::perform(const std::string &name, const std::string &algorithm) {
  auto is = [&](const char *collective, const char *by) {
    return name == collective && algorithm == by;
  };
  bool pairs = core() == ranks;
  bool there_and_back = name == "allreduce" || name == "barrier";
  auto scatter_parts = [this] {
    down_the_tree(
        [sizes = cut(ranks)](int64_t first, int64_t end) { return sum(sizes, first, end); });
  };
  if (there_and_back && algorithm == "linear")
    star(false), star(true);
  else if (there_and_back && algorithm == "binomial")
    up_the_tree(false), broadcast_binomial();
  else if (there_and_back && algorithm == "recursive-doubling")
    reduce_doubling();
  else if (is("broadcast", "linear") || is("scatter", "linear"))
    star(true);
  else if (is("reduce", "linear") || is("gather", "linear"))
    star(false);
  else if (is("allgather", "linear") || is("alltoall", "linear"))
    with_each(blocks());
  else if (is("reducescatter", "linear"))
    with_each(cut(ranks));
  else if (is("scan", "linear"))
    along();
  else if (is("scan", "simgrid"))
    scan_directly();
  else if (is("allreduce", "simgrid"))
    star(false), broadcast_binomial();
  else if (is("reducescatter", "simgrid"))
    star(false), star_of_parts();
  else if (is("broadcast", "binomial"))
    broadcast_binomial();
  else if (is("scatter", "binomial"))
    down_the_tree(
        [this](int64_t first, int64_t end) { return static_cast<Size>(end - first) * bytes; });
  else if (is("reduce", "binomial") || is("gather", "binomial"))
    up_the_tree(name == "gather");
  else if (is("scan", "recursive-doubling"))
    scan_doubling();
  else if (is("allgather", "recursive-doubling"))
    gather_doubling(blocks());
  else if (is("broadcast", "recursive-doubling"))
    scatter_parts(), gather_doubling(cut(ranks));
  else if (is("broadcast", "ring"))
    scatter_parts(), ring(cut(ranks), relative());
  else if (is("reducescatter", "recursive-halving"))
    reduce_scatter_halving();
  else if (is("allgather", "ring"))
    ring(blocks(), rank);
  else if (is("reducescatter", "ring"))
    ring(cut(ranks), rank + ranks - 1);
  else if (is("allreduce", "ring"))
    ring(cut(ranks), rank), ring(cut(ranks), rank + 1);
  else if (is("allreduce", "rabenseifner"))
    reduce_rabenseifner();
  else if (is("reduce", "rabenseifner"))
    reduce_rabenseifner_to_root();
  else if (is("alltoall", "pairwise"))
    pairwise(blocks(), pairs);
  else if (is("reducescatter", "pairwise"))
    pairwise(cut(ranks), false);
  else if (is("allgather", "bruck"))
    gather_bruck();
  else if (is("alltoall", "bruck") || is("barrier", "dissemination"))
    bruck();
  else
    return false;
  return true;
}

// The algorithm that MPICH takes for a collective of that size among so many ranks.
inline const char *algorithm_by_size(const std::string &name, uint64_t ranks, uint64_t bytes) {
  uint64_t core = 1;
  while (2 * core <= ranks)
    core *= 2;
  bool power_of_two = core == ranks;
  bool is_short = bytes <= 2048 || bytes < core;
  uint64_t all = bytes * ranks;
  if (name == "broadcast")
    return bytes < 12288 || ranks < 8       ? "binomial"
           : bytes < 524288 && power_of_two ? "recursive-doubling"
                                            : "ring";
  if (name == "reduce")
    return is_short ? "binomial" : "rabenseifner";
  if (name == "allreduce")
    return is_short ? "recursive-doubling" : "rabenseifner";
  if (name == "allgather")
    return all < 524288 && power_of_two ? "recursive-doubling" : all < 81920 ? "bruck" : "ring";
  if (name == "alltoall")
    return bytes <= 256 && ranks >= 8 ? "bruck" : bytes <= 32768 ? "linear" : "pairwise";
  if (name == "reducescatter")
    return bytes < 524288 ? "recursive-halving" : "pairwise";
  if (name == "scan")
    return "recursive-doubling";
  return name == "barrier" ? "dissemination" : "binomial";
}

// The value of a communicator's expression for any process.
using Color = std::function<int64_t(const Unit &)>;

// The communicator of a process at an element: the processes of equal values.
inline Communicator &communicator(const Unit &unit, const Element &element, const Color &color) {
  World &world = unit.world;
  auto known = world.splits.find(&element);
  if (known != world.splits.end())
    return *known->second[unit.pid()];
  std::map<int64_t, std::vector<int64_t>> sets;
  for (Process &process : world.processes) {
    unit.at(element);
    int64_t value = color ? color(Unit{world, process, 0, nullptr}) : 0;
    sets[value].push_back(process.pid);
  }
  std::vector<Communicator *> split(world.processes.size());
  for (const auto &[value, members] : sets) {
    Communicator &found = communicator_of(world, members);
    for (int64_t pid : members)
      split[pid] = &found;
  }
  return *world.splits.emplace(&element, std::move(split)).first->second[unit.pid()];
}

// All wait for the last to come; then each leaves after its own cost.
inline void gather_for(const Unit &unit, const Element &element, Call &call, bool last,
                       double cost_s) {
  if (last) {
    for (const s4u::ActorPtr &actor : call.waiting)
      actor->resume();
  } else {
    call.waiting.push_back(s4u::Actor::self());
    s4u::this_actor::suspend();
  }
  s4u::this_actor::sleep_for(checked_s(unit, element, cost_s));
}

inline void collective(const Unit &unit, const Element &element, const std::string &name,
                       int64_t root, int64_t size, const Color &color, Price price) {
  uint64_t bytes = name == "barrier" ? 0 : checked_bytes(unit, element, size);
  Communicator &group = communicator(unit, element, color);
  auto ranks = static_cast<int64_t>(group.members.size());
  if (root < 0 || root >= ranks) {
    unit.at(element);
    fail("the root is no rank of the communicator");
  }
  Rank rank(unit, group, 0, root, bytes);
  uint64_t number = group.made[rank.rank]++;
  auto [call, first] =
      group.calls.try_emplace(number, Call{name, root, bytes, price.has_value(), 0, {}});
  Call &made = call->second;
  if (made.name != name || made.root != root || made.bytes != bytes ||
      made.priced != price.has_value()) {
    unit.at(element);
    fail("processes call different collectives: " + name + " here, " + made.name + " in another");
  }
  bool last = ++made.come == ranks;
  if (price) {
    // Those that wait are resumed before the call is forgotten.
    gather_for(unit, element, made, last, *price);
    if (last)
      group.calls.erase(number);
    return;
  }
  if (last)
    group.calls.erase(number);
  const auto &chosen = unit.world.system.algorithms.find(name);
  bool by_size = chosen == unit.world.system.algorithms.end() || chosen->second == "auto";
  std::string algorithm = by_size ? algorithm_by_size(name, ranks, bytes) : chosen->second;
  Rank part(unit, group, number, root, bytes);
  if (ranks > 1 && !part.perform(name, algorithm)) {
    unit.at(element);
    fail("there is no algorithm `" + algorithm + "` here for this collective");
  }
}

} // namespace prophet

#endif
