/* Livermore kernel 6, a general linear recurrence, on vectors of several lengths.
 *
 * Prints lines of a length and the seconds of one repetition. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 40 };
/* Statements of a round, about: it is over before other programs want the CPU. */
#define STATEMENTS 2e5

static const int lengths[] = { 25, 50, 75, 100, 150, 200, 300, 400, 600, 800 };
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

__attribute__((noinline)) static void kernel(int repetitions, int n, double *w, const double *b)
{
    for (int l = 0; l < repetitions; l++)
        for (int i = 1; i < n; i++)
            for (int k = 0; k < i; k++)
                w[i] = w[i] + b[(size_t)k * n + i] * w[i - k - 1];
}

static void measure(int n)
{
    size_t cells = (size_t)n * n;
    double *w = malloc(n * sizeof *w), *b = malloc(cells * sizeof *b);
    if (w == NULL || b == NULL)
        exit(1);
    for (int i = 0; i < n; i++)
        w[i] = 0.01;
    for (size_t cell = 0; cell < cells; cell++)
        b[cell] = 1e-6;
    int repetitions = 1 + (int)(STATEMENTS / (0.5 * n * (n - 1)));
    /* The first one brings the vectors into the caches. */
    kernel(1, n, w, b);
    double start = now();
    kernel(repetitions, n, w, b);
    double taken = now() - start;
    /* What is printed depends on the result, so that the compiler keeps it. */
    if (w[n - 1] < 0)
        exit(1);
    printf("%d,%.6e\n", n, taken / repetitions);
    free(w);
    free(b);
}

int main(void)
{
#ifdef __linux__
    /* Where the system permits it, other programs wait meanwhile. */
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){ .sched_priority = 1 });
#endif
    for (int round = 0; round < ROUNDS; round++)
        for (int length = 0; length < LENGTHS; length++)
            measure(lengths[length]);
    return 0;
}
