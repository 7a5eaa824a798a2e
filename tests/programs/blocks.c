/* Conjugate gradients with a matrix in blocks, on a power of two of processes: sums along the rows
 * of the grid by halving distances, then an exchange with the transposed block.
 * `blocks UNKNOWNS STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, columns, rows, count;
static double *own, *other;

static void exchange(int partner, int size)
{
    MPI_Request request;
    MPI_Irecv(other, size, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, &request);
    MPI_Send(own, size, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void sum(int size)
{
    for (int distance = columns / 2; distance > 0; distance /= 2) {
        MPI_Request request;
        int partner = rank ^ distance;
        MPI_Irecv(other, size, MPI_DOUBLE, partner, 2, MPI_COMM_WORLD, &request);
        MPI_Send(own, size, MPI_DOUBLE, partner, 2, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        PRICED(size, for (int at = 0; at < size; at++) own[at] = 0.5 * (own[at] + other[at]));
    }
}

static void multiply(int steps)
{
    /* With twice as many columns as rows, two neighbors change places together. */
    int together = columns / rows, place = rank / together;
    int transposed = (place % rows * rows + place / rows) * together + rank % together;
    for (int step = 0; step < steps; step++) {
        PRICED(10.0 * count, for (int at = 0; at < count; at++) own[at] = own[at] * 0.9 + step);
        sum(count);
        exchange(transposed, count);
        sum(1);
    }
}

int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (rows = 1; 4 * rows * rows <= ranks; rows *= 2) continue;
    columns = ranks / rows;
    int unknowns = argc > 1 ? atoi(argv[1]) : 1 << 14;
    count = unknowns / columns;
    own = calloc(count, sizeof *own), other = calloc(count, sizeof *other);
    multiply(argc > 2 ? atoi(argv[2]) : 12);
    if (rank == 0) printf("residual %g\n", own[0]);
    MPI_Finalize();
    return 0;
}
