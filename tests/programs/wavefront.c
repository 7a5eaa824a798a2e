/* Sweeps over a grid of processes, there and back, as in the transport of particles: a process waits
 * for its neighbors before it, and wakes those behind it. `wavefront CELLS BLOCKS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rows, columns, row, column, cells;
static double *edge, sum;

static int at(int r, int c)
{
    if (r < 0 || r >= rows || c < 0 || c >= columns) return MPI_PROC_NULL;
    return r * columns + c;
}

static void compute(void)
{
    for (int turn = 0; turn < cells; turn++)
        for (int cell = 0; cell < cells; cell++) edge[cell] = 0.5 * edge[cell] + 1e-3 * turn;
    sum += edge[cells / 2];
}

static void sweep(int by, int blocks)
{
    for (int block = 0; block < blocks; block++) {
        MPI_Recv(edge, cells, MPI_DOUBLE, at(row - by, column), 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Recv(edge, cells, MPI_DOUBLE, at(row, column - by), 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        PRICED(10.0 * cells * cells, compute());
        MPI_Send(edge, cells, MPI_DOUBLE, at(row + by, column), 1, MPI_COMM_WORLD);
        MPI_Send(edge, cells, MPI_DOUBLE, at(row, column + by), 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, sides[2] = { 0, 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, sides);
    rows = sides[0], columns = sides[1];
    row = rank / columns, column = rank % columns;
    cells = argc > 1 ? atoi(argv[1]) : 200;
    edge = calloc(cells, sizeof *edge);
    for (int step = 0; step < 3; step++) {
        sweep(1, argc > 2 ? atoi(argv[2]) : 4);
        sweep(-1, argc > 2 ? atoi(argv[2]) : 4);
    }
    double total;
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %g\n", total);
    MPI_Finalize();
    return 0;
}
