/* A master gives each worker a task in turn, and takes the results in the same order.
 * `workers ROUNDS NUMBERS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *task;
static int numbers;

static double master(int ranks)
{
    double sum = 0, result;
    for (int worker = 1; worker < ranks; worker++)
        MPI_Send(task, numbers, MPI_DOUBLE, worker, 1, MPI_COMM_WORLD);
    for (int worker = 1; worker < ranks; worker++) {
        MPI_Recv(&result, 1, MPI_DOUBLE, worker, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += result;
    }
    return sum;
}

static void work(void)
{
    double result = 0;
    MPI_Recv(task, numbers, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    PRICED(500.0 * numbers, for (int turn = 0; turn < 50; turn++)
                                for (int at = 0; at < numbers; at++) result += task[at] * turn);
    MPI_Send(&result, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    numbers = argc > 2 ? atoi(argv[2]) : 2000;
    task = calloc(numbers, sizeof *task);
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) sum += master(ranks);
        else work();
    }
    if (rank == 0) printf("sum %g\n", sum);
    MPI_Finalize();
    return 0;
}
