/* Halo exchange by collectives of neighbors: four on a grid of two dimensions, whose ranks MPI
 * knows, or 26 on a grid of three, faces, edges and corners, whose ranks it is told.
 * `neighbors CELLS STEPS [cube]` */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cells, counts[26], offsets[26];
static double *halo;

static void square(int steps)
{
    int ranks, sides[2] = { 0, 0 }, periods[2] = { 0, 0 };
    MPI_Comm grid;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &grid);
    for (int step = 0; step < steps; step++)
        MPI_Neighbor_alltoall(halo, cells, MPI_DOUBLE, halo, cells, MPI_DOUBLE, grid);
}

static void cube(int steps)
{
    int ranks, rank, sides[3] = { 0, 0, 0 }, neighbors[26], count = 0;
    MPI_Comm graph;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(ranks, 3, sides);
    int x = rank / (sides[1] * sides[2]), y = rank / sides[2] % sides[1], z = rank % sides[2];
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dz = -1; dz <= 1; dz++) {
                int there = 0 <= x + dx && x + dx < sides[0] && 0 <= y + dy && y + dy < sides[1] &&
                            0 <= z + dz && z + dz < sides[2];
                if (!there || (!dx && !dy && !dz)) continue;
                neighbors[count] = ((x + dx) * sides[1] + y + dy) * sides[2] + z + dz;
                counts[count++] = (dx ? 1 : cells) * (dy ? 1 : cells) * (dz ? 1 : cells);
            }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, neighbors, counts, count,
                                   neighbors, counts, MPI_INFO_NULL, 0, &graph);
    for (int step = 0; step < steps; step++) {
        MPI_Request request;
        MPI_Ineighbor_alltoallv(halo, counts, offsets, MPI_DOUBLE, halo, counts, offsets,
                                MPI_DOUBLE, graph, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cells = argc > 1 ? atoi(argv[1]) : 16;
    int steps = argc > 2 ? atoi(argv[2]) : 4;
    halo = calloc(8 * cells * cells, sizeof *halo);
    if (argc > 3 && !strcmp(argv[3], "cube")) cube(steps);
    else square(steps);
    MPI_Finalize();
    return 0;
}
