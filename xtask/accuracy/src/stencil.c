/* Iterations of Jacobi or Gauss-Seidel on an N x N grid of doubles, with MPI, as
 * sample-models/jacobi2d.uml draws them: edges to the neighbors, the block, a reduction.
 *
 * Usage: stencil jacobi|gauss-seidel N...
 * Prints lines of a size and the seconds of an iteration, those of the slowest process. */

#define _GNU_SOURCE
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

enum { ROUNDS = 15, ITERATIONS = 20 };

struct block {
    int rows, columns;
    /* Ranks of the neighbors, or MPI_PROC_NULL. */
    int west, east, north, south;
    double *cells, *next, *edges;
};

static int share(int cells, int parts, int index)
{
    return cells / parts + (index < cells % parts);
}

static double *doubles(size_t count)
{
    double *all = calloc(count, sizeof *all);
    if (all == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return all;
}

static struct block part(int n)
{
    int rank, processes, px = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    for (int columns = 1; columns * columns <= processes; columns++)
        if (processes % columns == 0)
            px = columns;
    int py = processes / px, x = rank % px, y = rank / px;
    struct block block = {
        .rows = share(n, py, y),
        .columns = share(n, px, x),
        .west = x > 0 ? rank - 1 : MPI_PROC_NULL,
        .east = x < px - 1 ? rank + 1 : MPI_PROC_NULL,
        .north = y > 0 ? rank - px : MPI_PROC_NULL,
        .south = y < py - 1 ? rank + px : MPI_PROC_NULL,
    };
    size_t count = (size_t)(block.rows + 2) * (block.columns + 2);
    block.cells = doubles(count);
    block.next = doubles(count);
    block.edges = doubles(4 * (size_t)block.rows);
    for (size_t cell = 0; cell < count; cell++)
        block.cells[cell] = block.next[cell] = (double)(cell % 7);
    return block;
}

static void give_back(struct block *block)
{
    free(block->cells);
    free(block->next);
    free(block->edges);
}

static void send(double *edge, int count, int to, int tag, MPI_Request *request)
{
    MPI_Isend(edge, count, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, request);
}

static void receive(double *edge, int count, int from, int tag)
{
    MPI_Recv(edge, count, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Copies a column into an edge, or an edge into a column. */
static void copy(double *to, size_t to_step, const double *from, size_t from_step, int rows)
{
    for (int row = 0; row < rows; row++)
        to[row * to_step] = from[row * from_step];
}

static void exchange(struct block *it)
{
    size_t width = it->columns + 2;
    int rows = it->rows, columns = it->columns;
    double *to_west = it->edges, *to_east = to_west + rows;
    double *from_west = to_east + rows, *from_east = from_west + rows;
    double *first = it->cells + width, *last = it->cells + rows * width;
    MPI_Request sent[4];
    copy(to_west, 1, first + 1, width, rows);
    copy(to_east, 1, first + columns, width, rows);
    send(to_west, rows, it->west, 1, &sent[0]);
    send(to_east, rows, it->east, 2, &sent[1]);
    send(first + 1, columns, it->north, 3, &sent[2]);
    send(last + 1, columns, it->south, 4, &sent[3]);
    receive(from_west, rows, it->west, 2);
    receive(from_east, rows, it->east, 1);
    receive(first - width + 1, columns, it->north, 4);
    receive(last + width + 1, columns, it->south, 3);
    MPI_Waitall(4, sent, MPI_STATUSES_IGNORE);
    if (it->west != MPI_PROC_NULL)
        copy(first, width, from_west, 1, rows);
    if (it->east != MPI_PROC_NULL)
        copy(first + columns + 1, width, from_east, 1, rows);
}

/* Each cell becomes the mean of its neighbors before the iteration. */
static double jacobi(struct block *it)
{
    size_t width = it->columns + 2;
    double residual = 0;
    for (int row = 1; row <= it->rows; row++) {
        const double *old = it->cells + row * width, *above = old - width, *below = old + width;
        double *new = it->next + row * width;
        for (int column = 1; column <= it->columns; column++) {
            double sum = old[column - 1] + old[column + 1] + above[column] + below[column];
            new[column] = 0.25 * sum;
            double change = fabs(new[column] - old[column]);
            residual = change > residual ? change : residual;
        }
    }
    double *cells = it->cells;
    it->cells = it->next;
    it->next = cells;
    return residual;
}

/* Each cell of a block becomes the mean of its neighbors, of which two are new already. */
static double gauss_seidel(struct block *it)
{
    size_t width = it->columns + 2;
    double residual = 0;
    for (int row = 1; row <= it->rows; row++) {
        double *cells = it->cells + row * width, *above = cells - width, *below = cells + width;
        double west = cells[0];
        for (int column = 1; column <= it->columns; column++) {
            double old = cells[column];
            west = 0.25 * (west + (cells[column + 1] + above[column] + below[column]));
            cells[column] = west;
            double change = fabs(west - old);
            residual = change > residual ? change : residual;
        }
    }
    return residual;
}

static double iteration_s(struct block *block, double (*update)(struct block *))
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        exchange(block);
        double residual = update(block), largest;
        MPI_Allreduce(&residual, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    double taken = (MPI_Wtime() - start) / ITERATIONS, slowest;
    MPI_Reduce(&taken, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    place(rank);
    int is_jacobi = strcmp(argv[1], "jacobi") == 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int size = 2; size < argc; size++) {
            int n = atoi(argv[size]);
            struct block block = part(n);
            double taken = iteration_s(&block, is_jacobi ? jacobi : gauss_seidel);
            if (rank == 0)
                printf("%d,%.6e\n", n, taken);
            give_back(&block);
        }
    }
    MPI_Finalize();
    return 0;
}
