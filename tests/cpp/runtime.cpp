// The least runtime that a C++ representation needs to run: each process on its own, from its
// begin to its end, since what it executes never depends on time. It says which unit executes what:
// `pid tid name`.
//
//     model NODES CPUS_PER_NODE PROCESSES THREADS

#include "prophet.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

long NUM_NODES, NUM_CPUS, NUM_PROCESSES, NUM_THREADS;

static long team = 1;

static void says(const Element &element, long uid, long pid, long tid)
{
    if (uid != pid * NUM_THREADS + tid)
    {
        std::fprintf(stderr, "%s: uid %ld of pid %ld, tid %ld\n", element.name, uid, pid, tid);
        std::exit(1);
    }
    std::printf("%ld %ld %s\n", pid, tid, element.name);
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
LEAF(Message, Mailbox, const Buffer &)
LEAF(Message, Mailbox, const Buffer &, double)
LEAF(SendRecv, Mailbox, Mailbox, const Buffer &)
LEAF(SendRecv, Mailbox, Mailbox, const Buffer &, double)
LEAF(Wait)
LEAF(Wait, const char *)
LEAF(Rooted, Mailbox, const Buffer &)
LEAF(Rooted, Mailbox, double)
LEAF(Rooted, Mailbox, const Buffer &, double)
LEAF(Unrooted, const Buffer &)
LEAF(Unrooted, double)
LEAF(Unrooted, const Buffer &, double)
LEAF(Ordering)
LEAF(Ordering, double)

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
    for (long pid = 0; pid < NUM_PROCESSES; pid++)
    {
        // Each process has its own globals.
        pid_t child = fork();
        if (child == 0)
        {
            Process process = {};
            process.pid = pid;
            process.uid = pid * NUM_THREADS;
            process.nid = pid * NUM_NODES / NUM_PROCESSES;
            process.tfName = "";
            process.program();
            return 0;
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        {
            return 1;
        }
    }
    return 0;
}
