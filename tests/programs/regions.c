/* A program that marks regions, and with -DLIBRARY the functions of Caliper that it calls. */
#include <stdint.h>

#ifdef LIBRARY

int calls;
void cali_begin_region(const char *name) { calls += name[0] == 's'; }
void cali_end_region(const char *name) { calls += name[0] == 's'; }
void cali_begin_string(uint64_t attribute, const char *name) { calls += attribute == 7 && name; }
void cali_end(uint64_t attribute) { calls += attribute == 7; }
void _ZN4cali8FunctionC1EPKc(void *scope, const char *name) { calls += scope && name; }
void _ZN4cali8FunctionD1Ev(void *scope) { calls += scope != 0; }

#else

#include <mpi.h>
#include <stdio.h>

extern int calls;
void cali_begin_region(const char *name);
void cali_end_region(const char *name);
void cali_begin_string(uint64_t attribute, const char *name);
void cali_end(uint64_t attribute);
void _ZN4cali8FunctionC1EPKc(void *scope, const char *name);
void _ZN4cali8FunctionD1Ev(void *scope);

int main(int count, char **words)
{
    double value = 1, sum;
    int scope;
    /* Begins before MPI does, and ends before it, too. */
    cali_begin_region("start");
    MPI_Init(&count, &words);
    cali_end_region("start");
    MPI_Pcontrol(1, "setup");
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Pcontrol(-1, "setup");
    /* Levels of other tools. */
    MPI_Pcontrol(0);
    MPI_Pcontrol(1, (const char *)1);
    MPI_Pcontrol(-1, "unknown");
    cali_begin_string(7, "steps");
    for (int step = 0; step < 5; step++) {
        _ZN4cali8FunctionC1EPKc(&scope, "relax");
        for (volatile int at = 0; at < 200000; at++) value += at;
        _ZN4cali8FunctionD1Ev(&scope);
        cali_begin_region("sum");
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        cali_end_region("sum");
        MPI_Barrier(MPI_COMM_WORLD);
        /* An iteration's attribute, of which no region has begun. */
        cali_end(8);
    }
    /* Ends what is open inside of it. */
    cali_begin_region("stale");
    cali_end(7);
    MPI_Finalize();
    printf("%d calls\n", calls);
    return 0;
}

#endif
