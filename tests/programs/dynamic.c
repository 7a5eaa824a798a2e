/* A master gives a task to whoever asks, whom it knows by a probe of any rank. `dynamic TASKS
 * NUMBERS` */
#include <mpi.h>
#include <stdlib.h>

static double *task;
static int numbers;

enum { TASK = 1, RESULT, STOP };

static void master(int tasks, int ranks)
{
    int open = 0;
    double result;
    for (int worker = 1; worker < ranks; worker++) {
        int tag = tasks-- > 0 ? TASK : STOP;
        MPI_Send(task, tag == TASK ? numbers : 0, MPI_DOUBLE, worker, tag, MPI_COMM_WORLD);
        open += tag == TASK;
    }
    while (open > 0) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        int worker = status.MPI_SOURCE, tag = tasks-- > 0 ? TASK : STOP;
        MPI_Recv(&result, 1, MPI_DOUBLE, worker, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(task, tag == TASK ? numbers : 0, MPI_DOUBLE, worker, tag, MPI_COMM_WORLD);
        open -= tag == STOP;
    }
}

static void work(int rank)
{
    for (;;) {
        double result = 0;
        MPI_Status status;
        MPI_Recv(task, numbers, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP) return;
        for (int turn = 0; turn < 50 * rank; turn++)
            for (int at = 0; at < numbers; at++) result += task[at] * turn;
        MPI_Send(&result, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    numbers = argc > 2 ? atoi(argv[2]) : 500;
    task = calloc(numbers, sizeof *task);
    if (rank == 0) master(argc > 1 ? atoi(argv[1]) : 40, ranks);
    else work(rank);
    MPI_Finalize();
    return 0;
}
