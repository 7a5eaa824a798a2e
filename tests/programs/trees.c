/* Collectives of a program's own: a binomial tree from the first rank, a sum by a butterfly whose
 * tags count its levels, a scatter that halves, and a barrier by dissemination; for powers of two.
 * `trees NUMBERS STEPS` */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, numbers;
static double *own, *other;

static void broadcast(void)
{
    for (int mask = 1; mask < ranks; mask *= 2) {
        if (rank < mask)
            MPI_Send(own, numbers, MPI_DOUBLE, rank + mask, 1, MPI_COMM_WORLD);
        else if (rank < 2 * mask)
            MPI_Recv(own, numbers, MPI_DOUBLE, rank - mask, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void sum(void)
{
    for (int mask = 1, tag = 10; mask < ranks; mask *= 2, tag++) {
        MPI_Sendrecv(own, numbers, MPI_DOUBLE, rank ^ mask, tag, other, numbers, MPI_DOUBLE,
                     rank ^ mask, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int at = 0; at < numbers; at++) own[at] += other[at];
    }
}

/* From the first rank of each half to that of the other: halves of halves. */
static void scatter(void)
{
    int half = 1;
    while (2 * half < ranks) half *= 2;
    for (; half > 0; half /= 2) {
        int count = numbers / ranks * half;
        if (rank % (2 * half) == 0)
            MPI_Send(own, count, MPI_DOUBLE, rank + half, 3, MPI_COMM_WORLD);
        else if (rank % (2 * half) == half)
            MPI_Recv(own, count, MPI_DOUBLE, rank - half, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void barrier(void)
{
    for (int mask = 1; mask < ranks; mask *= 2) {
        int next = (rank + mask) % ranks, before = (rank + ranks - mask) % ranks;
        MPI_Sendrecv(NULL, 0, MPI_INT, next, 4, NULL, 0, MPI_INT, before, 4, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    numbers = argc > 1 ? atoi(argv[1]) : 1024;
    int steps = argc > 2 ? atoi(argv[2]) : 4;
    own = calloc(numbers, sizeof *own), other = calloc(numbers, sizeof *other);
    own[0] = rank;
    for (int step = 0; step < steps; step++) {
        broadcast();
        sum();
        scatter();
        barrier();
    }
    if (rank == 0) printf("sum %g\n", own[0]);
    MPI_Finalize();
    return 0;
}
