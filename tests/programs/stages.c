/* Lines of a plane solved there and back, on a square of processes that each have a cell in every
 * column: a stage for each column, with messages between stages. Cells at borders are smaller.
 * `stages CELLS STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int side, row, column, count;
static double *line;

static void pass(int stage, int to, int from, int tag)
{
    MPI_Request requests[2];
    if (stage == 0) return;
    MPI_Isend(line, count, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(line + count, count, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static void solve(void)
{
    int next = row * side + (column + 1) % side, before = row * side + (column + side - 1) % side;
    for (int stage = 0; stage < side; stage++) {
        pass(stage, next, before, 1);
        PRICED(10.0 * count, for (int at = 0; at < count; at++) line[at] = 0.5 * line[at] + stage);
    }
    for (int stage = 0; stage < side; stage++) pass(stage, before, next, 2);
}

/* Rows at the borders have a row of cells less. */
static void exchange(int cells)
{
    int size = cells / side - (row == 0) - (row == side - 1), rank = row * side + column;
    int up = row > 0 ? rank - side : MPI_PROC_NULL;
    int down = row < side - 1 ? rank + side : MPI_PROC_NULL;
    MPI_Sendrecv(line, size, MPI_DOUBLE, up, 3, line + count, cells, MPI_DOUBLE, down, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (side = 1; side * side < ranks; side++) continue;
    row = rank / side, column = rank % side;
    int cells = argc > 1 ? atoi(argv[1]) : 240, steps = argc > 2 ? atoi(argv[2]) : 5;
    count = cells / side;
    line = calloc(2 * cells, sizeof *line);
    for (int step = 0; step < steps; step++) {
        exchange(cells);
        solve();
    }
    if (rank == 0) printf("sum %g\n", line[0]);
    MPI_Finalize();
    return 0;
}
