/* Halo exchange on a grid of processes of three dimensions: six faces a step, of three sizes.
 * `halo3d CELLS STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int sides[3];
static MPI_Comm grid;

static void exchange(double *halo, const int *cells)
{
    MPI_Request requests[12];
    int open = 0;
    for (int axis = 0; axis < 3; axis++) {
        int before, next, face = cells[(axis + 1) % 3] * cells[(axis + 2) % 3];
        MPI_Cart_shift(grid, axis, 1, &before, &next);
        MPI_Irecv(halo, face, MPI_DOUBLE, before, axis, grid, &requests[open++]);
        MPI_Irecv(halo, face, MPI_DOUBLE, next, 3 + axis, grid, &requests[open++]);
        MPI_Isend(halo, face, MPI_DOUBLE, next, axis, grid, &requests[open++]);
        MPI_Isend(halo, face, MPI_DOUBLE, before, 3 + axis, grid, &requests[open++]);
    }
    MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
}

static double relax(double *field, int count)
{
    for (int at = 1; at < count; at++) field[at] = 0.5 * field[at] + 0.25 * field[at - 1] + 1;
    return field[count / 2];
}

int main(int argc, char **argv)
{
    int ranks, periods[3] = { 0, 0, 0 }, own[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 3, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 3, sides, periods, 0, &grid);
    int cells = argc > 1 ? atoi(argv[1]) : 48, steps = argc > 2 ? atoi(argv[2]) : 10;
    for (int axis = 0; axis < 3; axis++) own[axis] = cells / sides[axis];
    int count = own[0] * own[1] * own[2];
    double *field = calloc(count + 1, sizeof *field);
    double *halo = calloc(cells * cells, sizeof *halo), all = 0;
    for (int step = 0; step < steps; step++) {
        exchange(halo, own);
        double value;
        PRICED(10.0 * count, value = relax(field, count));
        MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    int rank;
    MPI_Comm_rank(grid, &rank);
    if (rank == 0) printf("maximum %g\n", all);
    MPI_Finalize();
    return 0;
}
