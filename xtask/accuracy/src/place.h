/* Place of a process of MPI on this machine; `_GNU_SOURCE` is defined before. */

#ifndef PLACE_H
#define PLACE_H

#include <sched.h>

enum { CPUS = 2 };

/* Keeps a process on one of two CPUs; where the system permits it, other programs wait. */
static void place(int rank)
{
#ifdef __linux__
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    int there = CPU_COUNT(&all) < CPUS ? CPU_COUNT(&all) : CPUS, index = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all) || index++ != rank % there)
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){ .sched_priority = 1 });
#else
    (void)rank;
#endif
}

#endif
