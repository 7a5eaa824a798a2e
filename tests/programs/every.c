/* Calls MPI in many ways, on four ranks: what a recorder has to tell. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, data[64], more[64];

static void messages(void)
{
    int next = (rank + 1) % 4, before = (rank + 3) % 4;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int index, count, indices[3], flag = 0;
    /* Small sends are over when they begin, and may share a handle. */
    MPI_Isend(data, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, 2, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(more, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Recv(more, 2, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Irecv(more, 4, MPI_INT, before, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(data, 4, MPI_INT, next, 3, MPI_COMM_WORLD);
    MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
    MPI_Irecv(more, 5, MPI_INT, before, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(data, 5, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[1]);
    for (int open = 2; open > 0;) {
        MPI_Waitsome(2, requests, &count, indices, statuses);
        open -= count;
    }
    MPI_Request_free(&requests[1]);
    MPI_Sendrecv(data, 6, MPI_INT, next, 5, more, 6, MPI_INT, before, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Send(data, 7, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
    MPI_Irecv(more, 7, MPI_INT, before, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, 7, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[1]);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static void collectives(void)
{
    int counts[4] = { 1, 2, 3, 4 }, offsets[4] = { 0, 1, 3, 6 };
    MPI_Bcast(data, 8, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Reduce(rank == 2 ? MPI_IN_PLACE : data, more, 9, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, more, 2, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(data, 2, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, more, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(data, 4, MPI_INT, more, 4, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(data, counts[rank], MPI_INT, more, counts, offsets, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(data, more, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* A grid of two rows and two columns; the ranks of a column are in the opposite order. */
static void grid(void)
{
    MPI_Comm row, column, all;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &column);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Allreduce(data, more, 5, MPI_INT, MPI_SUM, row);
    MPI_Bcast(data, 6, MPI_INT, 0, column);
    MPI_Barrier(all);
    int own;
    MPI_Comm_rank(column, &own);
    if (own == 0) MPI_Send(data, 3, MPI_INT, 1, 9, column);
    else MPI_Recv(more, 3, MPI_INT, 0, 9, column, MPI_STATUS_IGNORE);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Comm_free(&all);
}

static void window(void)
{
    MPI_Win win;
    MPI_Win_create(more, sizeof more, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(data, 1, MPI_INT, (rank + 1) % 4, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *part = argc > 1 ? argv[1] : "";
    messages();
    if (!strcmp(part, "asleep")) usleep(300000);
    collectives();
    if (!strcmp(part, "killed") && rank == 1) raise(SIGKILL);
    grid();
    if (!strcmp(part, "window")) window();
    MPI_Finalize();
    return 0;
}
