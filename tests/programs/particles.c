/* Particles move in a ring of boxes: who leaves a box is known by the data only, so that a rank
 * tells its neighbors first how many come. `particles PARTICLES STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, capacity, count;
static double *places, *leaving, *coming;

static double random_step(void)
{
    static unsigned state;
    if (!state) state = 54321 + 1013 * rank;
    state = state * 1664525 + 1013904223;
    return (state >> 8) / (double)(1 << 24) - 0.5;
}

/* Sends what leaves to one side, and receives from the other. */
static void exchange(int sent, int to, int from, int tag)
{
    int received;
    MPI_Sendrecv(&sent, 1, MPI_INT, to, tag, &received, 1, MPI_INT, from, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(leaving, sent, MPI_DOUBLE, to, tag + 1, coming, received, MPI_DOUBLE, from,
                 tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int at = 0; at < received && count < capacity; at++) places[count++] = 0.5;
}

/* Moves particles; takes those that leave to one side out. */
static int leave(int side)
{
    int left = 0, kept = 0;
    PRICED(20.0 * count, for (int at = 0; at < count; at++) {
        double place = places[at] + 0.2 * random_step();
        if (side > 0 ? place > 1 : place < 0) leaving[left++] = place;
        else places[kept++] = place;
    });
    count = kept;
    return left;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int particles = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 10;
    count = particles / ranks, capacity = 4 * count + 64;
    places = calloc(capacity, sizeof *places), leaving = calloc(capacity, sizeof *leaving);
    coming = calloc(capacity, sizeof *coming);
    for (int at = 0; at < count; at++) places[at] = (at + 0.5) / count;
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    for (int step = 0; step < steps; step++) {
        exchange(leave(1), next, before, 1);
        exchange(leave(-1), before, next, 3);
    }
    int all;
    MPI_Reduce(&count, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("particles %d\n", all);
    MPI_Finalize();
    return 0;
}
