// Messages between processes: each is a communication between hosts that SimGrid prices. Which
// receive gets which message is settled here, as in MPI: by source and tag, in order.

#ifndef PROPHET_MESSAGES_HPP
#define PROPHET_MESSAGES_HPP

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>

#include "world.hpp"

namespace prophet {

// The source of a receive from whoever sends, and the tag of one of messages of any tag.
constexpr int64_t ANY = INT64_MIN;
// A number of a process that is not whole.
constexpr int64_t NOT_WHOLE = INT64_MIN + 1;
// What clocks may differ by that should be equal.
constexpr double ROUNDING_S = 1e-12;
// A receive takes messages of any size.
constexpr int64_t ANY_SIZE = INT64_MAX;

inline int64_t whole(double number) {
  return number == std::trunc(number) ? prophet_truncate(number) : NOT_WHOLE;
}

// A value that a message carries: an integer or a real number.
using Value = std::variant<std::monostate, int64_t, double>;
constexpr std::monostate NO_VALUE;

// Variables that get what is received: the value, converted as C does, and the source, tag and
// size of the message; those of an nbrecv when a wait ends that.
struct Results {
  int64_t *into_int = nullptr;
  double *into_real = nullptr;
  int64_t *source = nullptr;
  int64_t *tag = nullptr;
  int64_t *size = nullptr;
};

// What an element costs of its own; else the machine prices it.
using Price = std::optional<double>;
constexpr std::nullopt_t BY_MACHINE = std::nullopt;

// Waits for a communication; gives the time at which it was there, `arrival_s` if that is known.
inline double wait_for(const s4u::CommPtr &comm, double arrival_s) {
  comm->wait();
  return arrival_s == HUGE_VAL ? comm->get_finish_time() : arrival_s;
}

// A message that waits for its receive to be posted (rendezvous), and its sender.
struct Rendezvous {
  s4u::CommPtr comm;
  // When it is there, once it has begun.
  double arrival_s = HUGE_VAL;
  // Who waits for the communication to begin.
  s4u::ActorPtr waiting;
  // When its sender, or the wait for it, is over.
  void wait() {
    while (!comm) {
      waiting = s4u::Actor::self();
      s4u::this_actor::suspend();
    }
    arrival_s = wait_for(comm, arrival_s);
  }
};

struct Message {
  int64_t source;
  uint64_t bytes;
  // The call of a collective that it belongs to.
  uint64_t call;
  // The communication; none for one that has a price of its own or no bytes, or has not begun.
  s4u::CommPtr comm;
  // When it is there, if nothing holds it up; not known beforehand where messages share links.
  double arrival_s;
  bool priced;
  std::shared_ptr<Rendezvous> rendezvous;
  int64_t tag = 0;
  Value value{};
  // In the order in which messages come to the process.
  uint64_t number = 0;
  // When it was sent.
  double sent_s = 0;
};

// A receive that is posted before its message is sent.
struct Post {
  uint64_t call = 0;
  bool filled = false;
  Message message{};
  // Who waits for it.
  s4u::ActorPtr waiting;
};

// Messages of programs and of collectives never match.
struct Envelope {
  int64_t source;
  int64_t tag;
  // 0 for messages of the program, else the communicator's number.
  uint64_t context;
  bool operator==(const Envelope &other) const {
    return source == other.source && tag == other.tag && context == other.context;
  }
};

struct EnvelopeHash {
  size_t operator()(const Envelope &envelope) const {
    uint64_t mixed = static_cast<uint64_t>(envelope.source) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ static_cast<uint64_t>(envelope.tag)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ envelope.context) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }
};

// What was sent to a process with one envelope, and who waits for such messages.
struct Channel {
  std::deque<Message> messages;
  std::deque<std::shared_ptr<Post>> posts;
};

// What a process has been sent, and its posted receives.
class Inbox {
  std::unordered_map<Envelope, Channel, EnvelopeHash> channels_;
  // For receives from whoever sends: the sources of each tag, and who waits for news.
  std::map<int64_t, std::map<int64_t, Channel *>> sources_;
  s4u::SemaphorePtr news_;
  int64_t waiting_for_news_ = 0;

public:
  // How many messages have come.
  uint64_t count = 0;

  Channel &channel(const Envelope &envelope) {
    auto [found, fresh] = channels_.try_emplace(envelope);
    if (fresh && envelope.context == 0)
      sources_[envelope.tag][envelope.source] = &found->second;
    return found->second;
  }

  void tell() {
    // Who is woken runs before the loop goes on, and may wait again.
    int64_t waiting = std::exchange(waiting_for_news_, 0);
    for (; waiting > 0; waiting--)
      news_->release();
  }

  // Waits until that time, or until something else is sent.
  void wait_for_news(double until_s) {
    if (!news_)
      news_ = s4u::Semaphore::create(0);
    waiting_for_news_++;
    if (until_s == HUGE_VAL)
      news_->acquire();
    else if (news_->acquire_timeout(until_s - s4u::Engine::get_clock()))
      waiting_for_news_--;
  }

  // The channel of each source's oldest message that has that tag, or any.
  std::map<int64_t, Channel *> oldest(int64_t tag) {
    std::map<int64_t, Channel *> oldest;
    auto add = [&](const std::map<int64_t, Channel *> &sources) {
      for (const auto &[source, channel] : sources) {
        if (channel->messages.empty())
          continue;
        Channel *&known = oldest[source];
        if (known == nullptr || channel->messages.front().number < known->messages.front().number)
          known = channel;
      }
    };
    if (tag != ANY) {
      add(sources_[tag]);
      return oldest;
    }
    for (const auto &[of_tag, sources] : sources_)
      add(sources);
    return oldest;
  }
};

inline const Network &network_between(const World &world, int64_t a, int64_t b) {
  const System &system = world.system;
  return system.mapping[a] == system.mapping[b] ? system.intranode : system.network;
}

// What a message of no bytes takes.
inline double latency_s(const World &world, int64_t from, int64_t to) {
  if (!world.system.shares_links())
    return network_between(world, from, to).latency_s;
  std::vector<s4u::Link *> links;
  double latency_s = 0;
  world.processes[from].node->host->route_to(world.processes[to].node->host, links, &latency_s);
  return latency_s;
}

// When the receiver of a message knows of it, whatever its size.
inline double envelope_s(const World &world, int64_t dest, const Message &message) {
  if (message.priced)
    return message.arrival_s;
  return message.sent_s + latency_s(world, message.source, dest);
}

// What a message takes by itself, where others have no part in that: SimGrid says so too, but only
// when it is there.
inline double price_s(const World &world, int64_t from, int64_t to, uint64_t bytes) {
  if (world.system.shares_links())
    return HUGE_VAL;
  const Network &network = network_between(world, from, to);
  return network.latency_s + static_cast<double>(bytes) / network.bytes_per_s;
}

inline s4u::CommPtr transfer(World &world, int64_t from, int64_t to, uint64_t bytes) {
  return s4u::Comm::sendto_async(world.processes[from].node->host, world.processes[to].node->host,
                                 bytes);
}

// Lets a message begin that waited for its receive.
inline void begin(World &world, Message &message, int64_t dest) {
  if (!message.rendezvous)
    return;
  message.comm = transfer(world, message.source, dest, message.bytes);
  message.arrival_s =
      s4u::Engine::get_clock() + price_s(world, message.source, dest, message.bytes);
  Rendezvous &waiting = *message.rendezvous;
  waiting.comm = message.comm;
  waiting.arrival_s = message.arrival_s;
  if (waiting.waiting)
    waiting.waiting->resume();
}

inline void deliver(World &world, int64_t dest, const Envelope &envelope, Message message) {
  world.messages++;
  Inbox &inbox = *world.processes[dest].inbox;
  Channel &channel = inbox.channel(envelope);
  message.tag = envelope.tag;
  message.number = inbox.count++;
  message.sent_s = s4u::Engine::get_clock();
  auto same_call = [&](const auto &post) { return post->call == message.call; };
  auto found = std::find_if(channel.posts.begin(), channel.posts.end(), same_call);
  if (found == channel.posts.end()) {
    channel.messages.push_back(std::move(message));
    inbox.tell();
    return;
  }
  // Others run while a communication begins: nothing here is half done then.
  std::shared_ptr<Post> post = std::move(*found);
  channel.posts.erase(found);
  begin(world, message, dest);
  post->message = std::move(message);
  post->filled = true;
  if (post->waiting)
    post->waiting->resume();
}

// Sends a message that the machine prices, at once.
inline void send_eagerly(World &world, int64_t from, int64_t dest, const Envelope &envelope,
                         uint64_t call, uint64_t bytes, Value value = NO_VALUE) {
  // A communication of no bytes would only begin when somebody waits for it.
  s4u::CommPtr comm = bytes == 0 ? nullptr : transfer(world, from, dest, bytes);
  double taken_s = bytes == 0 ? latency_s(world, from, dest) : price_s(world, from, dest, bytes);
  double arrival_s = s4u::Engine::get_clock() + taken_s;
  Message message{from, bytes, call, std::move(comm), arrival_s, false, nullptr};
  message.value = value;
  deliver(world, dest, envelope, std::move(message));
}

// The message of that envelope, or a post for it.
inline std::shared_ptr<Post> post(const Unit &unit, const Envelope &envelope, uint64_t call) {
  Channel &channel = unit.process.inbox->channel(envelope);
  auto post = std::make_shared<Post>();
  post->call = call;
  auto same_call = [&](const Message &message) { return message.call == call; };
  auto found = std::find_if(channel.messages.begin(), channel.messages.end(), same_call);
  if (found == channel.messages.end()) {
    channel.posts.push_back(post);
    return post;
  }
  post->message = std::move(*found);
  post->filled = true;
  channel.messages.erase(found);
  begin(unit.world, post->message, unit.pid());
  return post;
}

// Waits until a posted receive has its message, and that is there.
inline void wait_for(Post &post) {
  while (!post.filled) {
    post.waiting = s4u::Actor::self();
    s4u::this_actor::suspend();
  }
  if (post.message.comm)
    post.message.arrival_s = wait_for(post.message.comm, post.message.arrival_s);
  else
    s4u::this_actor::sleep_until(post.message.arrival_s);
}

// The same, for a receive that takes messages up to a size.
inline void arrive(const Unit &unit, const Element &element, Post &post, int64_t limit) {
  wait_for(post);
  Message &message = post.message;
  if (limit != ANY_SIZE && message.bytes > checked_bytes(unit, element, limit)) {
    unit.at(element);
    fail("the message from process " + std::to_string(message.source) + " has " +
         std::to_string(message.bytes) + " bytes, its receive takes " + std::to_string(limit));
  }
}

// Takes, of the oldest messages of each source, or of one, that whose envelope is there first.
inline Post first_to_come(const Unit &unit, int64_t wanted, int64_t tag) {
  Inbox &inbox = *unit.process.inbox;
  while (true) {
    double first_s = HUGE_VAL;
    Channel *first = nullptr;
    for (auto &[source, channel] : inbox.oldest(tag)) {
      double known_s = envelope_s(unit.world, unit.pid(), channel->messages.front());
      if ((wanted == ANY || wanted == source) && known_s < first_s) {
        first_s = known_s;
        first = channel;
      }
    }
    // Whose it is shows at once where the source is named, and nothing holds up the sender longer.
    bool at_once =
        first != nullptr && (wanted != ANY || first->messages.front().rendezvous != nullptr);
    if (first != nullptr && (at_once || first_s <= s4u::Engine::get_clock() + ROUNDING_S)) {
      Post post;
      post.filled = true;
      post.message = std::move(first->messages.front());
      first->messages.pop_front();
      begin(unit.world, post.message, unit.pid());
      return post;
    }
    inbox.wait_for_news(first_s);
  }
}

// Tells what has been received.
inline void tell(const Unit &unit, const Element &element, const Message &message,
                 const Results &results) {
  if (results.source != nullptr)
    *results.source = message.source;
  if (results.tag != nullptr)
    *results.tag = message.tag;
  if (results.size != nullptr)
    *results.size = static_cast<int64_t>(message.bytes);
  if (results.into_int == nullptr && results.into_real == nullptr)
    return;
  const auto *integer = std::get_if<int64_t>(&message.value);
  const auto *real = std::get_if<double>(&message.value);
  if (integer == nullptr && real == nullptr) {
    unit.at(element);
    fail("the message from process " + std::to_string(message.source) + " with tag " +
         std::to_string(message.tag) + " carries no value, but its receive wants one");
  }
  if (results.into_int != nullptr)
    *results.into_int = integer != nullptr ? *integer : prophet_truncate(*real);
  if (results.into_real != nullptr)
    *results.into_real = integer != nullptr ? static_cast<double>(*integer) : *real;
}

// What a receive from nobody tells: that it has received a zero of no bytes.
inline void tell_nothing(const Unit &unit, const Element &element, const Results &results) {
  Message nothing{PROPHET_PROC_NULL, 0, 0, nullptr, 0, true, nullptr};
  nothing.value = int64_t(0);
  tell(unit, element, nothing, results);
}

inline int64_t checked_process(const Unit &unit, const Element &element, const char *role,
                               int64_t pid) {
  if (pid < 0 || pid >= unit.num_processes()) {
    unit.at(element);
    fail(std::string("there is no process that `") + role + "` names");
  }
  return pid;
}

// An actor that follows a request, for waits that are for any of several.
struct Watch {
  bool over = false;
  std::vector<s4u::ActorPtr> waiting;
};

// What a process has begun and not waited for, by name.
class Requests {
public:
  struct Request {
    const Element *element;
    // Of a receive.
    std::shared_ptr<Post> post;
    int64_t limit;
    Price price;
    // Of a send: what it waits for, or when it is complete.
    std::shared_ptr<Rendezvous> rendezvous;
    double complete_s;
    Results results;
    // In the order in which they are begun.
    uint64_t number = 0;
    std::shared_ptr<Watch> watch = nullptr;

    // When it is over, as far as that is known.
    double over_s() const {
      if (post)
        return post->filled ? post->message.arrival_s : HUGE_VAL;
      return rendezvous ? rendezvous->arrival_s : complete_s;
    }
  };
  std::map<int64_t, std::vector<Request>> open;

  void add(int64_t name, Request request) {
    request.number = count_++;
    open[name].push_back(std::move(request));
  }

private:
  uint64_t count_ = 0;
};

// The request of those that have no name.
constexpr int64_t UNNAMED = -1;

inline void receive_end(const Unit &unit, const Element &element, Post &post, int64_t limit,
                        Price price) {
  arrive(unit, element, post, limit);
  if (price)
    s4u::this_actor::sleep_for(checked_s(unit, element, *price));
}

// Sends a message; gives what a request of it waits for.
inline Requests::Request send(const Unit &unit, const Element &element, int64_t dest, int64_t size,
                              int64_t tag, Price price, Value value) {
  double now_s = s4u::Engine::get_clock();
  Requests::Request request{&element, nullptr, 0, BY_MACHINE, nullptr, now_s, Results{}};
  if (dest == PROPHET_PROC_NULL)
    return request;
  checked_process(unit, element, "dest", dest);
  uint64_t bytes = checked_bytes(unit, element, size);
  Envelope envelope{unit.pid(), tag, 0};
  if (price) {
    request.complete_s += checked_s(unit, element, *price);
    Message message{unit.pid(), bytes, 0, nullptr, request.complete_s, true, nullptr};
    message.value = value;
    deliver(unit.world, dest, envelope, std::move(message));
  } else if (bytes > network_between(unit.world, unit.pid(), dest).eager_bytes) {
    request.rendezvous = std::make_shared<Rendezvous>();
    Message message{unit.pid(), bytes, 0, nullptr, request.complete_s, false, request.rendezvous};
    message.value = value;
    deliver(unit.world, dest, envelope, std::move(message));
  } else {
    send_eagerly(unit.world, unit.pid(), dest, envelope, 0, bytes, value);
  }
  return request;
}

inline void send_end(const Requests::Request &request) {
  if (request.rendezvous)
    request.rendezvous->wait();
  else
    s4u::this_actor::sleep_until(request.complete_s);
}

inline void bsend(const Unit &unit, const Element &element, int64_t dest, int64_t size, int64_t tag,
                  Price price, Value value = NO_VALUE) {
  Requests::Request request = send(unit, element, dest, size, tag, price, value);
  send_end(request);
}

inline void nbsend(const Unit &unit, const Element &element, int64_t dest, int64_t size,
                   int64_t tag, Price price, int64_t name, Value value = NO_VALUE) {
  unit.process.requests->add(name, send(unit, element, dest, size, tag, price, value));
}

inline void brecv(const Unit &unit, const Element &element, int64_t source, int64_t limit,
                  int64_t tag, Price price, const Results &results = {}) {
  if (source == PROPHET_PROC_NULL)
    return tell_nothing(unit, element, results);
  if (source != ANY)
    checked_process(unit, element, "source", source);
  if (source == ANY || tag == ANY) {
    Post received = first_to_come(unit, source, tag);
    receive_end(unit, element, received, limit, price);
    tell(unit, element, received.message, results);
    return;
  }
  auto posted = post(unit, Envelope{source, tag, 0}, 0);
  receive_end(unit, element, *posted, limit, price);
  tell(unit, element, posted->message, results);
}

inline void nbrecv(const Unit &unit, const Element &element, int64_t source, int64_t limit,
                   int64_t tag, Price price, int64_t name, const Results &results = {}) {
  if (source == PROPHET_PROC_NULL) {
    double now_s = s4u::Engine::get_clock();
    Requests::Request over{&element, nullptr, 0, BY_MACHINE, nullptr, now_s, Results{}};
    return unit.process.requests->add(name, std::move(over));
  }
  checked_process(unit, element, "source", source);
  auto posted = post(unit, Envelope{source, tag, 0}, 0);
  Requests::Request request{&element, posted, limit, price, nullptr, 0, results};
  unit.process.requests->add(name, std::move(request));
}

inline void sendrecv(const Unit &unit, const Element &element, int64_t dest, int64_t source,
                     int64_t size, int64_t limit, int64_t tag, Price price, Value value = NO_VALUE,
                     const Results &results = {}) {
  if (source == PROPHET_PROC_NULL) {
    bsend(unit, element, dest, size, tag, price, value);
    return tell_nothing(unit, element, results);
  }
  checked_process(unit, element, "source", source);
  auto posted = post(unit, Envelope{source, tag, 0}, 0);
  bsend(unit, element, dest, size, tag, price, value);
  receive_end(unit, element, *posted, limit, price);
  tell(unit, element, posted->message, results);
}

// Lets an actor follow a request to its end: only one can wait for a message.
inline void follow(const Requests::Request &request) {
  s4u::Actor::create("watch", s4u::this_actor::get_host(), [request] {
    s4u::Actor::self()->daemonize();
    if (request.post)
      wait_for(*request.post);
    else
      send_end(request);
    request.watch->over = true;
    // Who is woken runs before the loop goes on.
    for (const s4u::ActorPtr &actor : std::exchange(request.watch->waiting, {}))
      actor->resume();
  });
}

// Waits until a request is over, whoever follows it.
inline void complete(const Unit &unit, const Requests::Request &request) {
  while (request.watch && !request.watch->over) {
    request.watch->waiting.push_back(s4u::Actor::self());
    s4u::this_actor::suspend();
  }
  if (request.post)
    arrive(unit, *request.element, *request.post, request.limit);
  else
    send_end(request);
}

// Waits for the first request of some names that is over, or of all; `index` gets the place of its
// name, or -1 where there is none.
inline void wait_any(const Unit &unit, const std::vector<int64_t> &names, int64_t *index) {
  // What is over at this instant has told so after so many turns of all actors.
  constexpr int TURNS = 4;
  auto &open = unit.process.requests->open;
  auto place_of = [&](int64_t name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  auto each = [&](auto see) {
    for (auto &[name, list] : open) {
      if (!names.empty() && place_of(name) == static_cast<int64_t>(names.size()))
        continue;
      for (Requests::Request &request : list)
        see(name, request);
    }
  };
  while (true) {
    // Other threads may begin requests while an actor is made: nothing here is half done then.
    std::vector<Requests::Request> fresh;
    each([&](int64_t, Requests::Request &request) {
      if (request.watch)
        return;
      request.watch = std::make_shared<Watch>();
      fresh.push_back(request);
    });
    for (const Requests::Request &request : fresh)
      follow(request);
    for (int turn = 0; turn < TURNS; turn++)
      s4u::this_actor::yield();
    bool none = true;
    std::optional<std::pair<int64_t, Requests::Request>> first;
    each([&](int64_t name, const Requests::Request &request) {
      none = false;
      if (!request.watch || !request.watch->over)
        return;
      auto order = [](const Requests::Request &it) { return std::pair(it.over_s(), it.number); };
      if (!first || order(request) < order(first->second))
        first = {name, request};
    });
    if (none) {
      if (index != nullptr)
        *index = -1;
      return;
    }
    if (!first) {
      s4u::ActorPtr self = s4u::Actor::self();
      std::vector<std::shared_ptr<Watch>> watches;
      each([&](int64_t, const Requests::Request &request) {
        if (!request.watch)
          return;
        request.watch->waiting.push_back(self);
        watches.push_back(request.watch);
      });
      s4u::this_actor::suspend();
      // What is over later wakes nobody who waits for something else by then.
      for (const auto &watch : watches) {
        auto &waiting = watch->waiting;
        waiting.erase(std::remove(waiting.begin(), waiting.end(), self), waiting.end());
      }
      continue;
    }
    auto &[name, request] = *first;
    auto &list = open[name];
    auto is_it = [&](const Requests::Request &other) { return other.number == request.number; };
    list.erase(std::find_if(list.begin(), list.end(), is_it));
    if (index != nullptr)
      *index = place_of(name);
    complete(unit, request);
    if (request.post) {
      tell(unit, *request.element, request.post->message, request.results);
      if (request.price)
        s4u::this_actor::sleep_for(checked_s(unit, *request.element, *request.price));
    }
    return;
  }
}

// Waits for the requests of some names, or for all. When all messages are there, receives are charged
// in the order in which these came, each from its message or the end of the one before.
inline void wait(const Unit &unit, const Element &element, const std::vector<int64_t> &names) {
  auto &open = unit.process.requests->open;
  std::vector<Requests::Request> requests;
  for (int64_t name : names) {
    if (open.find(name) != open.end())
      continue;
    unit.at(element);
    fail("nothing has begun the request that it waits for");
  }
  for (auto &[known, list] : open) {
    if (!names.empty() && std::find(names.begin(), names.end(), known) == names.end())
      continue;
    std::move(list.begin(), list.end(), std::back_inserter(requests));
    list.clear();
  }
  double end_s = s4u::Engine::get_clock();
  for (const Requests::Request &request : requests)
    complete(unit, request);
  // Before they are sorted, they are in the order of posting under each name.
  for (const Requests::Request &request : requests) {
    if (request.post)
      tell(unit, *request.element, request.post->message, request.results);
  }
  auto arrival_s = [](const Requests::Request &request) {
    return request.post ? request.post->message.arrival_s : 0;
  };
  std::stable_sort(requests.begin(), requests.end(),
                   [&](const auto &a, const auto &b) { return arrival_s(a) < arrival_s(b); });
  for (const Requests::Request &request : requests) {
    if (request.price)
      end_s =
          std::max(end_s, arrival_s(request)) + checked_s(unit, *request.element, *request.price);
  }
  if (end_s > s4u::Engine::get_clock())
    s4u::this_actor::sleep_until(end_s);
}

} // namespace prophet

#endif
