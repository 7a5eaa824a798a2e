/* Halo exchange on a grid of processes, with requests that last; with a third argument
 * the grid is a torus. `halo2d CELLS STEPS [torus]` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Request requests[8];

static void prepare(MPI_Comm grid, double *halo, int width, int height)
{
    int begun = 0;
    for (int axis = 0; axis < 2; axis++) {
        int before, next, length = axis ? height : width;
        MPI_Cart_shift(grid, axis, 1, &before, &next);
        MPI_Recv_init(halo, length, MPI_DOUBLE, before, 2 * axis, grid, &requests[begun++]);
        MPI_Recv_init(halo, length, MPI_DOUBLE, next, 2 * axis + 1, grid, &requests[begun++]);
        MPI_Send_init(halo, length, MPI_DOUBLE, next, 2 * axis, grid, &requests[begun++]);
        MPI_Send_init(halo, length, MPI_DOUBLE, before, 2 * axis + 1, grid, &requests[begun++]);
    }
}

static void exchange(void)
{
    MPI_Startall(8, requests);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int ranks, rank, sides[2] = { 0, 0 }, periods[2] = { argc > 3, argc > 3 };
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    int cells = argc > 1 ? atoi(argv[1]) : 480, steps = argc > 2 ? atoi(argv[2]) : 10;
    int height = cells / sides[0], width = cells / sides[1];
    double *halo = calloc(cells, sizeof *halo), *field = calloc(width * height, sizeof *field);
    prepare(grid, halo, width, height);
    double own = 0, all = 0;
    for (int step = 0; step < steps; step++) {
        exchange();
        PRICED(10.0 * width * height,
               for (int at = 0; at < width * height; at++) field[at] = 0.5 * field[at] + 1);
        own = field[width * height / 2];
        if (step % 5 == 4) MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, grid);
    }
    if (rank == 0) printf("maximum %g\n", all);
    for (int at = 0; at < 8; at++) MPI_Request_free(&requests[at]);
    MPI_Finalize();
    return 0;
}
