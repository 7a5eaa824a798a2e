/* A program with parallel regions of OpenMP, of which one has others inside. */
#include <mpi.h>

int main(int count, char **words)
{
    int level;
    double sum = 0;
    MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
    for (int step = 0; step < 10; step++) {
#pragma omp parallel for num_threads(3) reduction(+ : sum)
        for (int at = 0; at < 1000000; at++) sum += at;
#pragma omp parallel num_threads(2)
        {
#pragma omp parallel num_threads(2)
            sum += 1;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
