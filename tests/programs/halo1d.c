/* Halo exchange on a chain: each rank relaxes its part of a line, and exchanges its ends with its
 * neighbors. `halo1d CELLS STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

static void exchange(double *cells, int count)
{
    MPI_Request requests[4];
    int open = 0;
    if (rank > 0) {
        MPI_Irecv(&cells[0], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &requests[open++]);
        MPI_Isend(&cells[1], 1, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, &requests[open++]);
    }
    if (rank < ranks - 1) {
        MPI_Irecv(&cells[count + 1], 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD, &requests[open++]);
        MPI_Isend(&cells[count], 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &requests[open++]);
    }
    MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
}

static double relax(double *cells, double *next, int count)
{
    double change = 0;
    for (int at = 1; at <= count; at++) {
        next[at] = 0.5 * cells[at] + 0.25 * (cells[at - 1] + cells[at + 1]);
        double by = next[at] - cells[at];
        change += by * by;
    }
    for (int at = 1; at <= count; at++) cells[at] = next[at];
    return change;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int cells = argc > 1 ? atoi(argv[1]) : 1 << 16, steps = argc > 2 ? atoi(argv[2]) : 20;
    int count = cells / ranks;
    double *line = calloc(count + 2, sizeof *line), *next = calloc(count + 2, sizeof *next);
    if (rank == 0) line[1] = 1;
    double total = 0;
    for (int step = 0; step < steps; step++) {
        exchange(line, count);
        double change;
        PRICED(10.0 * count, change = relax(line, next, count));
        MPI_Allreduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("change %g\n", total);
    free(line);
    free(next);
    MPI_Finalize();
    return 0;
}
