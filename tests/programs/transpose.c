/* Transposes a matrix of n by n numbers again and again, as Fourier transforms do.
 * `transpose N STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 6;
    int own = n / ranks, block = own * own;
    double *from = calloc(n * own, sizeof *from), *to = calloc(n * own, sizeof *to);
    for (int step = 0; step < steps; step++) {
        PRICED(10.0 * n * own,
               for (int at = 0; at < n * own; at++) from[at] = 0.5 * to[at] + rank);
        MPI_Alltoall(from, block, MPI_DOUBLE, to, block, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    double result = to[0];
    MPI_Bcast(&result, 1, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD);
    if (rank == 0) printf("first %g\n", result);
    MPI_Finalize();
    return 0;
}
