/* Conjugate gradients on a ring of unknowns: a halo of one unknown and two sums a step.
 * `gradients UNKNOWNS STEPS` */
#include "priced.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, count;

static double dot(const double *one, const double *other)
{
    double own = 0, all;
    PRICED(4.0 * count, for (int at = 1; at <= count; at++) own += one[at] * other[at]);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void multiply(double *of, double *into)
{
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    MPI_Sendrecv(&of[count], 1, MPI_DOUBLE, next, 1, &of[0], 1, MPI_DOUBLE, before, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&of[1], 1, MPI_DOUBLE, before, 2, &of[count + 1], 1, MPI_DOUBLE, next, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    PRICED(10.0 * count,
           for (int at = 1; at <= count; at++) into[at] = 3 * of[at] - of[at - 1] - of[at + 1]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int unknowns = argc > 1 ? atoi(argv[1]) : 1 << 14, steps = argc > 2 ? atoi(argv[2]) : 12;
    if (rank > 0) unknowns = 0;
    MPI_Bcast(&unknowns, 1, MPI_INT, 0, MPI_COMM_WORLD);
    count = unknowns / ranks;
    size_t bytes = sizeof(double) * (count + 2);
    double *x = calloc(1, bytes), *r = calloc(1, bytes), *p = calloc(1, bytes);
    double *q = calloc(1, bytes);
    for (int at = 1; at <= count; at++) r[at] = p[at] = 1 + at % 3;
    double rr = dot(r, r);
    for (int step = 0; step < steps; step++) {
        multiply(p, q);
        double alpha = rr / dot(p, q);
        PRICED(8.0 * count,
               for (int at = 1; at <= count; at++) x[at] += alpha * p[at], r[at] -= alpha * q[at]);
        double next = dot(r, r);
        PRICED(6.0 * count,
               for (int at = 1; at <= count; at++) p[at] = r[at] + next / rr * p[at]);
        rr = next;
    }
    if (rank == 0) printf("residual %g\n", rr);
    MPI_Finalize();
    return 0;
}
