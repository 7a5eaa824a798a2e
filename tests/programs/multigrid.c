/* V-cycles of multigrid, on strips of a plane: from level to level half of the ranks have nothing
 * left to do, and rows are half as long. `multigrid CELLS CYCLES` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, cells;
static double *row, *halo;

static void smooth(int stride)
{
    MPI_Request requests[4];
    int open = 0, count = cells / stride;
    if (rank >= stride) {
        MPI_Irecv(halo, count, MPI_DOUBLE, rank - stride, 1, MPI_COMM_WORLD, &requests[open++]);
        MPI_Isend(row, count, MPI_DOUBLE, rank - stride, 2, MPI_COMM_WORLD, &requests[open++]);
    }
    if (rank + stride < ranks) {
        MPI_Irecv(halo, count, MPI_DOUBLE, rank + stride, 2, MPI_COMM_WORLD, &requests[open++]);
        MPI_Isend(row, count, MPI_DOUBLE, rank + stride, 1, MPI_COMM_WORLD, &requests[open++]);
    }
    MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
    PRICED(40.0 * count, for (int turn = 0; turn < 20; turn++)
                             for (int at = 1; at < count; at++)
                                 row[at] = 0.5 * row[at] + 0.25 * row[at - 1] + 1);
}

/* Restricts to the next level: of two neighbors, the first goes on. */
static void restricted(int stride)
{
    if (rank % (2 * stride))
        MPI_Send(row, cells / stride, MPI_DOUBLE, rank - stride, 3, MPI_COMM_WORLD);
    else if (rank + stride < ranks)
        MPI_Recv(halo, cells / stride, MPI_DOUBLE, rank + stride, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void prolonged(int stride)
{
    if (rank % (2 * stride))
        MPI_Recv(halo, cells / stride, MPI_DOUBLE, rank - stride, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    else if (rank + stride < ranks)
        MPI_Send(row, cells / stride, MPI_DOUBLE, rank + stride, 4, MPI_COMM_WORLD);
}

static void cycle(void)
{
    int stride = 1;
    for (; stride < ranks; stride *= 2) {
        if (rank % stride) continue;
        smooth(stride);
        restricted(stride);
    }
    for (stride /= 2; stride > 0; stride /= 2) {
        if (rank % stride) continue;
        prolonged(stride);
        smooth(stride);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cells = argc > 1 ? atoi(argv[1]) : 4096;
    int cycles = argc > 2 ? atoi(argv[2]) : 5;
    row = calloc(cells, sizeof *row), halo = calloc(cells, sizeof *halo);
    double residual = 0;
    for (int turn = 0; turn < cycles; turn++) {
        cycle();
        MPI_Allreduce(&row[1], &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("residual %g\n", residual);
    MPI_Finalize();
    return 0;
}
