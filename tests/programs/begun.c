/* Collectives that do not block: a sum behind which the next step computes, waits in another order
 * than begins, and one that a blocking collective overtakes. `begun STEPS` */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, all[64] = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    double sum = 0, own = rank, other = 0, values[4] = { 0 };
    MPI_Request requests[3];
    for (int step = 0; step < (argc > 1 ? atoi(argv[1]) : 3); step++) {
        MPI_Irecv(&other, 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&own, 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Iallreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
        for (int at = 0; at < 4; at++) values[at] += at;
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Ibcast(values, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Igather(&rank, 1, MPI_INT, all, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[rank % 2], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1 - rank % 2], MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (rank == 0) printf("sum %g, value %g, last %d\n", sum, values[3] + other, all[ranks - 1]);
    MPI_Finalize();
    return 0;
}
