/* Transposes N x N matrices of doubles that are distributed by rows, with MPI: each process packs
 * the transposed block of a partner, sends it, and copies the block that it receives into its rows.
 *
 * Usage: transpose N...
 * Prints lines of a size and the seconds of a transposition, those of the slowest process. */

#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "place.h"

enum { ROUNDS = 15 };
/* Seconds of a round, at least. */
#define ROUND_S 5e-3

static int rank, processes;

/* Rows of the matrix and of its transposed, and blocks on their way. */
struct part {
    int n, rows;
    double *from, *to, *out, *in;
};

static double *doubles(size_t count)
{
    double *all = malloc(count * sizeof *all);
    if (all == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t place = 0; place < count; place++)
        all[place] = (double)(place % 7);
    return all;
}

static struct part make(int n)
{
    size_t rows = n / processes;
    return (struct part){
        .n = n,
        .rows = (int)rows,
        .from = doubles(rows * n),
        .to = doubles(rows * n),
        .out = doubles(rows * rows),
        .in = doubles(rows * rows),
    };
}

static void give_back(struct part *it)
{
    free(it->from);
    free(it->to);
    free(it->out);
    free(it->in);
}

/* Transposes a block of that many rows and columns, between rows of these lengths. */
static void transpose(int rows, double *restrict to, size_t to_step, const double *from,
                      size_t from_step)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            to[j * to_step + i] = from[i * from_step + j];
}

static void copy(int rows, double *restrict to, size_t to_step, const double *from)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            to[i * to_step + j] = from[(size_t)i * rows + j];
}

static void turn(struct part *it)
{
    int rows = it->rows, count = rows * rows;
    transpose(rows, it->to + (size_t)rank * rows, it->n, it->from + (size_t)rank * rows, it->n);
    for (int step = 1; step < processes; step++) {
        int to = (rank + step) % processes, from = (rank + processes - step) % processes;
        transpose(rows, it->out, rows, it->from + (size_t)to * rows, it->n);
        MPI_Sendrecv(it->out, count, MPI_DOUBLE, to, 0, it->in, count, MPI_DOUBLE, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        copy(rows, it->to + (size_t)from * rows, it->n, it->in);
    }
}

static double turns_s(struct part *it, long turns)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (long count = 0; count < turns; count++)
        turn(it);
    double taken = MPI_Wtime() - start, slowest;
    MPI_Allreduce(&taken, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static void measure(int n)
{
    struct part it = make(n);
    long turns = 1;
    while (turns_s(&it, turns) < ROUND_S)
        turns *= 2;
    for (int round = 0; round < ROUNDS; round++) {
        double taken_s = turns_s(&it, turns) / turns;
        if (rank == 0)
            printf("%d,%.6e\n", n, taken_s);
    }
    give_back(&it);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    place(rank);
    for (int size = 1; size < argc; size++)
        measure(atoi(argv[size]));
    MPI_Finalize();
    return 0;
}
