// Flows on a platform of SimGrid: prints its links, routes and ends, and the CPU time of the run.
//
// flows PLATFORM MODE [--cfg=...] < FLOWS, where each line is: group, start, source, destination,
// bytes. MODE is `starts` (each flow at its start), `rounds` (a group when the one before has
// ended), or `chains` (in each group, a flow when the one before has ended).
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

namespace sg = simgrid::s4u;

struct Flow {
    int group;
    double start_s;
    sg::Host *source, *destination;
    double bytes;
    double end_s;
};

static std::vector<Flow> flows;
static std::map<int, std::vector<Flow *>> groups;

static void read_flows(const sg::Engine &engine) {
    Flow flow{};
    char source[256], destination[256];
    while (std::scanf("%d %lf %255s %255s %lf", &flow.group, &flow.start_s, source, destination,
                      &flow.bytes) == 5) {
        flow.source = engine.host_by_name(source);
        flow.destination = engine.host_by_name(destination);
        flows.push_back(flow);
    }
    for (Flow &it : flows)
        groups[it.group].push_back(&it);
}

static void print_routes() {
    std::map<sg::Link *, size_t> numbers;
    for (const Flow &flow : flows) {
        std::vector<sg::Link *> route;
        double latency_s = 0;
        flow.source->route_to(flow.destination, route, &latency_s);
        for (sg::Link *link : route)
            if (numbers.emplace(link, numbers.size()).second)
                std::printf("link %.17g %d %.17g\n", link->get_bandwidth(),
                            link->get_sharing_policy() == sg::Link::SharingPolicy::FATPIPE,
                            link->get_latency());
        std::printf("route %.17g", latency_s);
        for (sg::Link *link : route)
            std::printf(" %zu", numbers[link]);
        std::puts("");
    }
}

static void send(Flow &flow) {
    sg::Comm::sendto(flow.source, flow.destination, flow.bytes);
    flow.end_s = sg::Engine::get_clock();
}

static void starts() {
    for (Flow &flow : flows)
        sg::Actor::create("flow", flow.source, [&flow] {
            sg::this_actor::sleep_until(flow.start_s);
            send(flow);
        });
}

static void rounds() {
    sg::Actor::create("rounds", flows.front().source, [] {
        std::vector<sg::CommPtr> comms;
        for (const auto &[number, group] : groups) {
            for (const Flow *it : group)
                comms.push_back(sg::Comm::sendto_async(it->source, it->destination, it->bytes));
            sg::Comm::wait_all(comms);
            comms.clear();
            for (Flow *it : group)
                it->end_s = sg::Engine::get_clock();
        }
    });
}

static void chains() {
    for (const auto &[number, group] : groups)
        sg::Actor::create("chain", group.front()->source, [&group = group] {
            for (Flow *it : group)
                send(*it);
        });
}

static double cpu_s() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    sg::Engine engine(&argc, argv);
    const std::string mode = argv[2];
    engine.load_platform(argv[1]);
    engine.get_netzone_root()->seal();
    read_flows(engine);
    print_routes();
    const double start_s = cpu_s();
    mode == "starts" ? starts() : mode == "rounds" ? rounds() : chains();
    engine.run();
    const double took_s = cpu_s() - start_s;
    for (const Flow &flow : flows)
        std::printf("end %.17g\n", flow.end_s);
    std::printf("cpu %.17g\n", took_s);
}
