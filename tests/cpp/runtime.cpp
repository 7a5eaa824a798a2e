// The least runtime that a C++ representation needs to run: all processes at once, without time.
// Messages are passed on, as what a process executes may depend on those that it gets; collectives
// are not. It says which unit executes what: `pid tid name`.
//
//     model NODES CPUS_PER_NODE PROCESSES THREADS

#include "prophet.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

long NUM_NODES, NUM_CPUS, NUM_PROCESSES, NUM_THREADS;

static long team = 1;

// What this process has executed.
static std::string said;

static void says(const Element &element, long uid, long pid, long tid)
{
    if (uid != pid * NUM_THREADS + tid)
    {
        std::fprintf(stderr, "%s: uid %ld of pid %ld, tid %ld\n", element.name, uid, pid, tid);
        std::exit(1);
    }
    said += std::to_string(pid) + " " + std::to_string(tid) + " " + element.name + "\n";
}

// A message, in the memory that all processes share.
struct Message
{
    enum State { EMPTY, SENT, TAKEN };
    std::atomic<int> state;
    long source, dest;
    Buffer buffer;
};

static const long MESSAGES_MAX = 1 << 18;

struct Shared
{
    std::atomic<long> sent;
    // The process that says next what it has executed.
    std::atomic<long> turn;
    Message messages[MESSAGES_MAX];
};

static Shared *shared;

// A receive that waits.
struct Post
{
    long source;
    Buffer buffer;
    // The message, once it has one.
    const Message *message;
};

// What this process has posted, the oldest first.
static std::list<Post> posts;

static void fail(const char *why)
{
    std::fprintf(stderr, "%s\n", why);
    std::_Exit(1);
}

static void send(long pid, Mailbox to, const Buffer &buffer)
{
    long place = shared->sent++;
    if (place >= MESSAGES_MAX)
    {
        fail("there are too many messages");
    }
    Message &message = shared->messages[place];
    message.source = pid;
    message.dest = to.pid;
    message.buffer = buffer;
    message.state = Message::SENT;
}

static void tell(const Buffer &wanted, const Message &message)
{
    const Buffer &buffer = message.buffer;
    if (wanted.source_of_message != 0)
        *wanted.source_of_message = message.source;
    if (wanted.tag_received != 0)
        *wanted.tag_received = buffer.tag_of_message;
    if (wanted.size_received != 0)
        *wanted.size_received = buffer.size_in_bytes;
    bool wants = wanted.into_integer != 0 || wanted.into_real != 0;
    if (wants && !buffer.has_value)
        fail("a message carries no value, but its receive wants one");
    if (wanted.into_integer != 0)
        *wanted.into_integer = buffer.is_real ? (long)buffer.real : buffer.integer;
    if (wanted.into_real != 0)
        *wanted.into_real = buffer.is_real ? buffer.real : (double)buffer.integer;
}

// Takes the oldest message for a receive, if there is one.
static void take(long pid, Post &post)
{
    // All before are none of this process any more.
    static long first = 0;
    long count = shared->sent;
    for (long place = first; place < count && place < MESSAGES_MAX; place++)
    {
        Message &message = shared->messages[place];
        int state = message.state;
        bool mine = state == Message::SENT && message.dest == pid;
        if (place == first && state != Message::EMPTY && !mine)
            first++;
        bool fits = mine && (post.source == ANY || post.source == message.source) &&
                    (post.buffer.tag_of_message == ANY ||
                     post.buffer.tag_of_message == message.buffer.tag_of_message);
        if (fits)
        {
            post.message = &message;
            message.state = Message::TAKEN;
            return;
        }
    }
}

// Waits until a posted receive has its message; older ones come first.
static void complete(long pid, Post &wanted)
{
    for (long turns = 0; wanted.message == 0; turns++)
    {
        for (Post &post : posts)
        {
            if (post.message == 0)
                take(pid, post);
        }
        if (turns > 600000)
            fail("a message does not come");
        if (wanted.message == 0)
            usleep(100);
    }
    tell(wanted.buffer, *wanted.message);
}

static Post &posted(Mailbox from, const Buffer &buffer)
{
    posts.push_back(Post{from.pid, buffer, 0});
    return posts.back();
}

static void receive(long pid, Mailbox from, const Buffer &buffer)
{
    Post &post = posted(from, buffer);
    complete(pid, post);
    posts.remove_if([&](const Post &other) { return &other == &post; });
}

// The place of the name of a request among some with commas between them, which 0 has not, or -1.
static long place_of(const std::string &name, const char *requests)
{
    if (requests == 0)
        return 0;
    std::string rest = std::string(requests) + ", ";
    for (long place = 0; !rest.empty(); place++)
    {
        size_t comma = rest.find(", ");
        if (rest.substr(0, comma) == name)
            return place;
        rest = rest.substr(comma + 2);
    }
    return -1;
}

// Completes the first request of some names, or of all.
static long wait_for_any(long pid, const char *requests)
{
    bool outstanding = true;
    for (long turns = 0; outstanding; turns++)
    {
        outstanding = false;
        for (auto post = posts.begin(); post != posts.end(); ++post)
        {
            if (post->message == 0)
                take(pid, *post);
            long place = place_of(post->buffer.name_of_request, requests);
            if (place < 0)
                continue;
            outstanding = true;
            if (post->message == 0)
                continue;
            tell(post->buffer, *post->message);
            posts.erase(post);
            return place;
        }
        if (turns > 600000)
            fail("no message comes");
        usleep(100);
    }
    return -1;
}

// Completes the requests of some names, or all.
static void wait_for(long pid, const char *requests)
{
    for (auto post = posts.begin(); post != posts.end();)
    {
        if (place_of(post->buffer.name_of_request, requests) < 0)
        {
            ++post;
            continue;
        }
        complete(pid, *post);
        post = posts.erase(post);
    }
}

// Each thread of a team, one behind the other.
template <class F> static void threads(long uid, long tid, long wanted, const F &body)
{
    long outside = team;
    team = wanted > 0 ? wanted : NUM_THREADS;
    for (long thread = 0; thread < team; thread++)
    {
        body(uid - tid + thread, thread);
    }
    team = outside;
}

// The part `rank` of `size` that a static schedule gives a thread: the first ones one more.
static long begin_of_share(long size, long rank, long ranks)
{
    long rest = size % ranks;
    return rank * (size / ranks) + (rank < rest ? rank : rest);
}

#define LEAF(CLASS, ...)                                                                           \
    void CLASS::execute(long uid, long pid, long tid, ##__VA_ARGS__)                               \
    {                                                                                              \
        says(*this, uid, pid, tid);                                                                \
    }

LEAF(ActionPlus, double, long)
LEAF(Delay, double)
LEAF(SendSignal)
LEAF(AcceptSignal)
LEAF(Rooted, Mailbox, const Buffer &)
LEAF(Rooted, Mailbox, double)
LEAF(Rooted, Mailbox, const Buffer &, double)
LEAF(Unrooted, const Buffer &)
LEAF(Unrooted, double)
LEAF(Unrooted, const Buffer &, double)
LEAF(Ordering)
LEAF(Ordering, double)

// What sends or receives, with a cost and without.
#define COMMUNICATION(CLASS, DOES)                                                                 \
    void CLASS::execute(long uid, long pid, long tid, Mailbox partner, const Buffer &buffer)       \
    {                                                                                              \
        says(*this, uid, pid, tid);                                                                \
        DOES;                                                                                      \
    }                                                                                              \
    void CLASS::execute(long uid, long pid, long tid, Mailbox partner, const Buffer &buffer,       \
                        double)                                                                    \
    {                                                                                              \
        execute(uid, pid, tid, partner, buffer);                                                   \
    }

COMMUNICATION(BSend, send(pid, partner, buffer))
COMMUNICATION(NBSend, send(pid, partner, buffer))
COMMUNICATION(BRecv, receive(pid, partner, buffer))
COMMUNICATION(NBRecv, posted(partner, buffer))

void SendRecv::execute(long uid, long pid, long tid, Mailbox to, Mailbox from, const Buffer &buffer)
{
    says(*this, uid, pid, tid);
    send(pid, to, buffer);
    receive(pid, from, buffer);
}

void SendRecv::execute(long uid, long pid, long tid, Mailbox to, Mailbox from, const Buffer &buffer,
                       double)
{
    execute(uid, pid, tid, to, from, buffer);
}

void Wait::execute(long uid, long pid, long tid)
{
    says(*this, uid, pid, tid);
    wait_for(pid, 0);
}

void Wait::execute(long uid, long pid, long tid, const char *requests)
{
    says(*this, uid, pid, tid);
    wait_for(pid, requests);
}

long Wait::any(long uid, long pid, long tid)
{
    says(*this, uid, pid, tid);
    return wait_for_any(pid, 0);
}

long Wait::any(long uid, long pid, long tid, const char *requests)
{
    says(*this, uid, pid, tid);
    return wait_for_any(pid, requests);
}

void Ordering::execute(long uid, long, long tid, const Content &content)
{
    content(uid, tid, 0);
}

void Parallel::execute(long uid, long, long tid, long wanted, const Content &content)
{
    threads(uid, tid, wanted, [&](long uid, long tid) { content(uid, tid, tid); });
}

void ParallelDo::execute(long uid, long, long tid, long wanted, long iterations, const char *, long,
                         const Content &content)
{
    auto share = [&](long uid, long tid)
    {
        long begin = begin_of_share(iterations, tid, team);
        long end = begin_of_share(iterations, tid + 1, team);
        for (long i = begin; i < end; i++)
        {
            content(uid, tid, i);
        }
    };
    if (wanted == 0 && team > 1)
    {
        // The team that is there shares it.
        return share(uid, tid);
    }
    threads(uid, tid, wanted, share);
}

void ParallelSections::execute(long uid, long, long tid, long, long sections,
                               const Content &content)
{
    for (long section = 0; section < sections; section++)
    {
        content(uid, tid, section);
    }
}

void Fork::execute(long uid, long, long tid, long branches, const Content &content)
{
    for (long branch = 0; branch < branches; branch++)
    {
        content(uid, tid, branch);
    }
}

// Every operation takes a microsecond.
double operation(const char *) { return 1e-6; }

double interpolate(const double (*points)[2], long count, double x)
{
    long at = 1;
    while (at < count - 1 && points[at][0] < x)
    {
        at++;
    }
    const double *a = points[at - 1], *b = points[at];
    return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
}

// Draws give the mean: no test has a flow that depends on them.
double uniform(double low, double high) { return (low + high) / 2; }
double exponential(double mean) { return mean; }
double normal(double mean, double) { return mean; }
double lognormal(double mu, double) { return exp(mu); }
double gamma(double shape, double scale) { return shape * scale; }
double erlang(long, double mean) { return mean; }
double weibull(double, double scale) { return scale; }
double triangular(double, double mode, double) { return mode; }
long poisson(double mean) { return (long)mean; }
bool bernoulli(double probability) { return probability >= 0.5; }

int main(int count, char **arguments)
{
    if (count != 5)
    {
        return 2;
    }
    NUM_NODES = std::atol(arguments[1]);
    NUM_CPUS = std::atol(arguments[2]);
    NUM_PROCESSES = std::atol(arguments[3]);
    NUM_THREADS = std::atol(arguments[4]);
    void *memory = mmap(0, sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
    {
        return 1;
    }
    shared = static_cast<Shared *>(memory);
    std::list<pid_t> children;
    for (long pid = 0; pid < NUM_PROCESSES; pid++)
    {
        // Each process has its own globals.
        pid_t child = fork();
        if (child < 0)
        {
            return 1;
        }
        if (child == 0)
        {
            Process process = {};
            process.pid = pid;
            process.uid = pid * NUM_THREADS;
            process.nid = pid * NUM_NODES / NUM_PROCESSES;
            process.tfName = "";
            process.program();
            while (shared->turn != pid)
            {
                usleep(100);
            }
            std::fputs(said.c_str(), stdout);
            std::fflush(stdout);
            shared->turn++;
            return 0;
        }
        children.push_back(child);
    }
    while (!children.empty())
    {
        int status = 0;
        pid_t ended = wait(&status);
        children.remove(ended);
        if (ended < 0 || status != 0)
        {
            // The others may wait for it.
            for (pid_t child : children)
            {
                kill(child, SIGKILL);
            }
            return 1;
        }
    }
    return 0;
}
