/* Time: the clock, costs that pass, and the times of elements. */
#define _POSIX_C_SOURCE 200809L
#include "prophet_state.h"
#include <time.h>

/* Turns of the spinning loop a second, on a CPU that has nothing else to do. */
static double turns_per_s;

static double clock_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double prophet_now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

/* Computes: each turn needs the result of the one before. */
static void spin(uint64_t turns)
{
    static _Thread_local volatile uint64_t result;
    uint64_t x = result;
    for (uint64_t turn = 0; turn < turns; turn++)
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    result = x;
}

void prophet_calibrate(void)
{
    /* The fastest of many short rounds is the one that nothing disturbed. */
    const uint64_t turns = 500000;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 100; round++) {
        double start = clock_of(CLOCK_THREAD_CPUTIME_ID), speed;
        spin(turns);
        speed = (double)turns / (clock_of(CLOCK_THREAD_CPUTIME_ID) - start);
        if (speed > turns_per_s)
            turns_per_s = speed;
    }
}

void prophet_until(double moment)
{
    /* A sleeper wakes up late: the last part is spent awake. */
    const double awake = 200e-6;
    for (;;) {
        double rest = moment - prophet_now();
        if (rest <= 0.0)
            return;
        if (rest > awake) {
            struct timespec time;
            rest -= awake;
            time.tv_sec = (time_t)rest;
            time.tv_nsec = (long)((rest - (double)time.tv_sec) * 1e9);
            nanosleep(&time, NULL);
        }
    }
}

void prophet_add(double *sum, double seconds)
{
#pragma omp atomic
    *sum += seconds;
}

/* A cost of the model as it passes here. */
static double scaled(double cost)
{
    if (cost < 0.0)
        prophet_stop("negative cost: %g s", cost);
    if (!isfinite(cost))
        prophet_stop("the cost is no finite number: %g", cost);
    return cost * run.options.scale;
}

void prophet_pass(prophet_price price)
{
    if (!price.by_machine)
        prophet_until(prophet_now() + scaled(price.cost));
}

double prophet_begin(const prophet_element *element)
{
    prophet_at(element);
    return prophet_now();
}

void prophet_end(const prophet_element *element, double start)
{
    double seconds = prophet_now() - start;
    prophet_tally *tally = &run.tallies[element->index];
#pragma omp critical(prophet_tallies)
    {
        tally->count += 1.0;
        tally->total += seconds;
        if (seconds > tally->max)
            tally->max = seconds;
        if (run.trace != NULL)
            fprintf(run.trace, "%lld %lld %s\n", (long long)prophet_tid(),
                    (long long)element->id, element->name);
    }
}

void prophet_work(const prophet_element *element, double cost)
{
    double start = prophet_begin(element);
    cost = scaled(cost);
    if (run.options.costs == PROPHET_SLEEP)
        prophet_until(start + cost);
    else
        spin((uint64_t)(cost * turns_per_s));
    prophet_add(&run.times.compute, prophet_now() - start);
}

void prophet_delay(const prophet_element *element, double cost)
{
    double start = prophet_begin(element);
    prophet_until(start + scaled(cost));
    prophet_end(element, start);
}

void prophet_compute(const prophet_element *element, double cost)
{
    double start = prophet_begin(element);
    prophet_work(element, cost);
    prophet_end(element, start);
}
