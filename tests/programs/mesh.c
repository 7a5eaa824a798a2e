/* An unstructured mesh in parts: each has some neighbors anywhere, which a sum of random rings
 * decides, and trades borders with them in the order of their numbers. `mesh CELLS STEPS RINGS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RINGS_MAX = 16 };

static int rank, ranks, degree, neighbors[2 * RINGS_MAX];

static int by_number(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

/* Shuffles all ranks into a ring, by the same numbers everywhere, and notes the two beside us. */
static void add_ring(int *ring, unsigned *state)
{
    for (int at = 0; at < ranks; at++) ring[at] = at;
    for (int at = ranks - 1; at > 0; at--) {
        *state = *state * 1664525 + 1013904223;
        int other = (*state >> 8) % (at + 1), kept = ring[at];
        ring[at] = ring[other], ring[other] = kept;
    }
    for (int at = 0; at < ranks; at++) {
        if (ring[at] != rank) continue;
        neighbors[degree++] = ring[(at + 1) % ranks];
        neighbors[degree++] = ring[(at + ranks - 1) % ranks];
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int cells = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 10;
    int rings = argc > 3 ? atoi(argv[3]) : 2, *ring = calloc(ranks, sizeof *ring);
    unsigned state = 4321;
    for (int turn = 0; turn < rings && turn < RINGS_MAX; turn++) add_ring(ring, &state);
    qsort(neighbors, degree, sizeof *neighbors, by_number);
    double *own = calloc(cells, sizeof *own), *halo = calloc(cells * (degree + 1), sizeof *halo);
    MPI_Request requests[4 * RINGS_MAX];
    double norm = 0;
    for (int step = 0; step < steps; step++) {
        for (int at = 0; at < degree; at++) {
            MPI_Irecv(halo + at * cells, cells, MPI_DOUBLE, neighbors[at], 1, MPI_COMM_WORLD,
                      &requests[at]);
            MPI_Isend(own, cells, MPI_DOUBLE, neighbors[at], 1, MPI_COMM_WORLD,
                      &requests[degree + at]);
        }
        MPI_Waitall(2 * degree, requests, MPI_STATUSES_IGNORE);
        PRICED(10.0 * cells,
               for (int at = 0; at < cells; at++) own[at] = 0.5 * own[at] + halo[at] + 1);
        double sum = own[0];
        MPI_Allreduce(&sum, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("norm %g\n", norm);
    MPI_Finalize();
    return 0;
}
