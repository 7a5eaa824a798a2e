/* Sorts numbers by buckets, one of each rank: how many go where is known by the data only.
 * `buckets NUMBERS STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

static unsigned random_number(void)
{
    static unsigned state;
    if (!state) state = 12345 + 977 * rank;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

static int compare(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return (a > b) - (a < b);
}

static unsigned *exchange(const unsigned *keys, int *counts, int *total)
{
    int *theirs = calloc(ranks, sizeof *theirs), *to = calloc(ranks, sizeof *to);
    int *from = calloc(ranks, sizeof *from);
    MPI_Alltoall(counts, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    *total = theirs[0];
    for (int at = 1; at < ranks; at++) {
        to[at] = to[at - 1] + counts[at - 1];
        from[at] = from[at - 1] + theirs[at - 1];
        *total += theirs[at];
    }
    unsigned *all = malloc(*total * sizeof *all + 1);
    MPI_Alltoallv(keys, counts, to, MPI_UNSIGNED, all, theirs, from, MPI_UNSIGNED, MPI_COMM_WORLD);
    free(theirs), free(to), free(from);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int numbers = (argc > 1 ? atoi(argv[1]) : 1 << 14) / ranks;
    int steps = argc > 2 ? atoi(argv[2]) : 4, total = 0;
    unsigned *keys = calloc(numbers, sizeof *keys);
    int *counts = calloc(ranks, sizeof *counts);
    for (int step = 0; step < steps; step++) {
        for (int at = 0; at < ranks; at++) counts[at] = 0;
        for (int at = 0; at < numbers; at++) keys[at] = random_number();
        PRICED(200.0 * numbers, qsort(keys, numbers, sizeof *keys, compare));
        for (int at = 0; at < numbers; at++) counts[(long)keys[at] * ranks >> 24]++;
        unsigned *all = exchange(keys, counts, &total);
        PRICED(200.0 * total, qsort(all, total, sizeof *all, compare));
        free(all);
    }
    int most;
    MPI_Reduce(&total, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("largest bucket %d\n", most);
    MPI_Finalize();
    return 0;
}
