// A handler of MPI's errors that throws, as programs in C++ have it: calls end by an exception.
#include <cstdio>
#include <mpi.h>
#include <stdexcept>

static void handle(MPI_Comm *, int *, ...) { throw std::runtime_error("MPI"); }

// Calls MPI from a frame below the one that caught.
static __attribute__((noinline)) void deeper(int levels)
{
    volatile char room[256] = {};
    if (levels > 0) deeper(levels - 1);
    else MPI_Barrier(MPI_COMM_WORLD);
    room[1] = room[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    int value = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < 2; step++) {
        try {
            MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
        } catch (const std::exception &caught) {
            std::printf("caught %s\n", caught.what());
        }
        deeper(3);
    }
    for (int step = 0; step < 10; step++)
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
