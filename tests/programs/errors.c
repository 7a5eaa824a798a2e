/* A program that handles MPI's errors: calls with wrong arguments, which it gets back as codes,
 * messages that are too long, and with "jump" a handler that leaves the call. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf place;

static void jump(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(place, 1);
}

/* Calls MPI from a frame below the one that the handler jumped to. */
static __attribute__((noinline)) void deeper(int levels)
{
    volatile char room[256] = { 0 };
    if (levels > 0) deeper(levels - 1);
    else MPI_Barrier(MPI_COMM_WORLD);
    room[1] = room[0];
}

static void jumps(void)
{
    MPI_Errhandler handler;
    int value = 0;
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (setjmp(place)) printf("jumped\n");
    else MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    for (int step = 0; step < 3; step++) MPI_Barrier(MPI_COMM_WORLD);
    deeper(3);
}

static void wrong(void)
{
    int x = 0, n = 0, at = 0;
    const MPI_Comm none = MPI_COMM_NULL, world = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_INT;
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Status s, *ignore = MPI_STATUS_IGNORE, *all = MPI_STATUSES_IGNORE;
#define WRONG(...) printf("%d %d\n", at++, (__VA_ARGS__) != MPI_SUCCESS)
    WRONG(MPI_Barrier(none));
    WRONG(MPI_Send(&x, 1, type, 99, 0, world));
    WRONG(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, world));
    WRONG(MPI_Send(&x, 1, type, 0, 0, none));
    WRONG(MPI_Irecv(&x, -1, type, 0, 0, world, &q));
    WRONG(MPI_Isend(&x, 1, type, 0, -7, world, NULL));
    WRONG(MPI_Recv(&x, 1, type, 77, 0, world, ignore));
    WRONG(MPI_Sendrecv(&x, 1, type, 77, 0, &n, 1, type, 77, 0, world, ignore));
    WRONG(MPI_Bcast(&x, 1, type, 77, world));
    WRONG(MPI_Bcast(&x, 1, (MPI_Datatype)0, 0, world));
    WRONG(MPI_Allreduce(MPI_IN_PLACE, &x, 1, type, MPI_SUM, none));
    WRONG(MPI_Gather(&x, 1, type, &n, 1, type, 0, none));
    WRONG(MPI_Gatherv(&x, 1, type, NULL, NULL, NULL, type, 5, world));
    WRONG(MPI_Scatterv(NULL, NULL, NULL, type, &x, 1, type, 0, world));
    WRONG(MPI_Allgatherv(&x, 1, type, NULL, NULL, NULL, type, world));
    WRONG(MPI_Alltoallv(NULL, NULL, NULL, type, NULL, NULL, NULL, type, world));
    WRONG(MPI_Reduce_scatter(&x, &x, NULL, type, MPI_SUM, world));
    WRONG(MPI_Iallreduce(&x, &n, 1, type, MPI_SUM, none, &q));
    WRONG(MPI_Neighbor_allgather(&x, 1, type, &n, 1, type, world));
    WRONG(MPI_Neighbor_alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, world));
    WRONG(MPI_Wait(NULL, &s));
    WRONG(MPI_Waitall(-3, &q, all));
    WRONG(MPI_Waitall(2, NULL, all));
    WRONG(MPI_Waitany(2, NULL, &x, ignore));
    WRONG(MPI_Test(&q, NULL, &s));
    WRONG(MPI_Testall(2, NULL, &n, all));
    WRONG(MPI_Testsome(-1, &q, &n, &x, all));
    WRONG(MPI_Waitsome(1, NULL, &n, &x, all));
    WRONG(MPI_Start(&q));
    WRONG(MPI_Startall(1, NULL));
    WRONG(MPI_Request_free(&q));
    WRONG(MPI_Request_free(NULL));
    WRONG(MPI_Cancel(&q));
    WRONG(MPI_Comm_free(&(MPI_Comm){ none }));
    WRONG(MPI_Comm_dup(none, &(MPI_Comm){ none }));
    WRONG(MPI_Probe(77, 0, world, &s));
}

/* Messages that are longer than their receivers expect have come nevertheless. */
static void too_long(int rank)
{
    int data[4] = { 1, 2, 3, 4 }, own;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Isend(data, 4, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
    int code = MPI_Recv(&own, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    printf("too long: %d\n", code != MPI_SUCCESS);
    MPI_Irecv(&own, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, 4, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[1]);
    code = MPI_Waitall(2, requests, statuses);
    printf("too long: %d\n", code != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && !strcmp(argv[1], "jump")) {
        jumps();
    } else {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        wrong();
        too_long(rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
