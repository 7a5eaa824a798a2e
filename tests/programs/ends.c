/* A program that ends, or treats the system, as its first argument says. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void barriers(int count)
{
    while (count-- > 0) MPI_Barrier(MPI_COMM_WORLD);
}

/* A copy of the process marks regions and calls MPI's clock, as libraries do. */
static void fork_here(void)
{
    fflush(stdout);
    pid_t copy = fork();
    if (copy == 0) {
        for (int step = 0; step < 20; step++) {
            MPI_Pcontrol(1, "copy");
            MPI_Pcontrol(-1, "copy");
        }
        exit(7);
    }
    int status;
    barriers(20);
    waitpid(copy, &status, 0);
    printf("ended by %d, code %d\n", WIFSIGNALED(status), WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    barriers(10);
    errno = 99;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1, "region");
    MPI_Pcontrol(-1, (const char *)1);
    MPI_Pcontrol(-1, "region");
    int error = errno;
    if (!strcmp(how, "error")) printf("error %d\n", error);
    if (!strcmp(how, "fork")) fork_here();
    /* Files have the lowest number that is free. */
    if (!strcmp(how, "file")) printf("file %d\n", open("/dev/null", O_RDONLY));
    if (!strcmp(how, "room")) {
        struct rlimit most = { 1000000, 1000000 };
        setrlimit(RLIMIT_FSIZE, &most);
        barriers(200000);
    }
    if (!strcmp(how, "name")) {
        static char name[70001];
        /* One letter of one byte, and letters of two. */
        for (int at = 1; at < 70001; at++) name[at - 1] = at % 2 ? '\xa9' : '\xc3';
        name[0] = 'r';
        name[69999] = 0;
        MPI_Pcontrol(1, name);
        barriers(2);
        MPI_Pcontrol(-1, name);
    }
    if (!strcmp(how, "exit")) exit(number);
    if (!strcmp(how, "signal")) raise(number);
    if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, number);
    if (!strcmp(how, "wait")) {
        printf("waits\n");
        fflush(stdout);
        for (;;) pause();
    }
    MPI_Finalize();
    return number;
}
