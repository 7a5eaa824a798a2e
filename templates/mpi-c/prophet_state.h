/* What the parts of the support share; a generated program does not see it. */
#ifndef PROPHET_STATE_H
#define PROPHET_STATE_H

#include "prophet_mpi.h"
#include <mpi.h>
#include <stdio.h>

/* How costs pass. */
typedef enum { PROPHET_SPIN, PROPHET_SLEEP } prophet_costs;

/* What the command line says. */
typedef struct {
    uint64_t seed;
    prophet_costs costs;
    /* How long a cost of one second passes, in seconds. */
    double scale;
    /* Where to write what is executed; each process adds its number. NULL for nowhere. */
    const char *trace;
} prophet_options;

/* The times of this process, in seconds, summed over its threads. */
typedef struct {
    double end, compute, communication;
} prophet_times;

/* The executions of one element in this process. */
typedef struct {
    double count, total, max;
} prophet_tally;

typedef struct {
    const prophet_model *model;
    prophet_options options;
    prophet_times times;
    prophet_tally *tallies;
    /* When the run began, by `prophet_now`. */
    double zero;
    /* What is executed, in order; NULL if nobody wants to know. */
    FILE *trace;
} prophet_run;

extern prophet_run run;

/* prophet_run.c */

/* Stops the run at the element that this thread is at; exit code 3. */
PROPHET_NORETURN void prophet_stop(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;
/* Memory that is zero. */
void *prophet_allocate(size_t count, size_t size);

/* prophet_options.c */

/* Reads the command line; 0, or the exit code that the program ends with at once. */
int prophet_read_options(int argc, char **argv);

/* prophet_time.c */

/* Seconds of a clock that only goes forward. */
double prophet_now(void);
/* Measures how fast this process spins. */
void prophet_calibrate(void);
/* Adds to one of the times of the process. */
void prophet_add(double *sum, double seconds);
/* Lets the price of communication pass on the clock. */
void prophet_pass(prophet_price price);
/* Waits until that moment of the clock. */
void prophet_until(double moment);

/* prophet_message.c */

/* Stops the run if MPI says so. */
void prophet_check(int code);
/* A size that MPI can count. */
int prophet_bytes(int64_t size);
/* Memory with zeros for so many bytes that nobody writes to. */
const void *prophet_outgoing(size_t size);
/* Memory for so many bytes that come in, and its return. */
void *prophet_incoming(size_t size);
void prophet_give_back(void *buffer);
/* Ends what is still begun when the program ends. */
void prophet_abandon(void);

/* prophet_result.c */

/* Collects the results of all processes and prints them. */
void prophet_print(void);

#endif
