// Actors on hosts of a platform of SimGrid: prints the energy of all hosts, and the time.
//
// hosts PLATFORM [--cfg=...] < ACTORS, where each line is: host, number of steps, and the flops of
// each step; all actors meet after each step.
#include <cstdio>
#include <vector>

#include <simgrid/plugins/energy.h>
#include <simgrid/s4u.hpp>

namespace sg = simgrid::s4u;

int main(int argc, char *argv[]) {
    sg_host_energy_plugin_init();
    sg::Engine engine(&argc, argv);
    engine.load_platform(argv[1]);
    std::vector<std::pair<sg::Host *, std::vector<double>>> actors;
    char host[256];
    size_t steps;
    while (std::scanf("%255s %zu", host, &steps) == 2) {
        std::vector<double> flops(steps);
        for (double &it : flops)
            if (std::scanf("%lf", &it) != 1)
                return 1;
        actors.emplace_back(engine.host_by_name(host), flops);
    }
    const auto meeting = sg::Barrier::create(actors.size());
    for (const auto &[place, flops] : actors)
        sg::Actor::create("actor", place, [&meeting, &flops = flops] {
            for (const double it : flops) {
                if (it > 0)
                    sg::this_actor::execute(it);
                meeting->wait();
            }
        });
    engine.run();
    double joules = 0;
    for (sg::Host *it : engine.get_all_hosts())
        joules += sg_host_get_consumed_energy(it);
    std::printf("%.17g %.17g\n", joules, sg::Engine::get_clock());
    return 0;
}
