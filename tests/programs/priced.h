/* Work of a known price. `PRICED(NS, …)` does the work alone, unless the program is compiled with
 * `-DPRICED_WORK`: then it takes that many nanoseconds of CPU time where it runs, and as many
 * operations under SMPI, so that both have equal costs on hosts of 1 Gflop/s. */
#ifndef PRICED_H
#define PRICED_H

#include <mpi.h>

#ifndef PRICED_WORK

#define PRICED(ns, ...)                                                                            \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
    } while (0)

#elif defined(SMPI_SAMPLE_LOOP)

#define PRICED(ns, ...)                                                                            \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        smpi_execute_flops(ns);                                                                    \
    } while (0)

#else

#include <time.h>

static double cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

#define PRICED(ns, ...)                                                                            \
    do {                                                                                           \
        double end_ = cpu_ns() + (ns);                                                             \
        __VA_ARGS__;                                                                               \
        while (cpu_ns() < end_) continue;                                                          \
    } while (0)

#endif
#endif
