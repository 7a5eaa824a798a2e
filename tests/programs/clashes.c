/* A program and, with -DLIBRARY, a library of it, whose functions have names that the recorder's
 * have: each calls its own. The library is a tool as well, which counts barriers. */
#include <mpi.h>
#include <stdio.h>

int rank_of(int number);
long size_of(const char *text);
int open_file(const char *path);
extern int barriers;

#ifdef LIBRARY

int barriers;
int rank_of(int number) { return 100 + number; }
long size_of(const char *text) { return 4000 + text[0]; }
int open_file(const char *path) { return path[0] == 'r'; }
int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

#else

/* Programs that take plugins, or print their stacks, export their functions (-rdynamic). */
static int put, begun;
int is_open = 7, last = 8;
void put_byte(unsigned char byte) { put += byte; }
void begin_call(void) { begun++; }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 5; step++) MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %ld %d\n", rank_of(3), size_of("x"), open_file("result.txt"));
    printf("%d %d %d %d, %d barriers\n", put, begun, is_open, last, barriers);
    MPI_Finalize();
    return 0;
}

#endif
