/* Measures messages between two processes, for `calibrate network --run`.
 *
 * Prints CSV with a row for each size: the time of a message one way, the time that its sender is
 * busy, and the time that a sender is held if its receive comes late (0 if it is not, in most
 * rounds). Other programs may use the CPUs as well: they wait where the system permits that, the
 * fastest of many short batches counts, and those of a size are spread over the whole run. The time
 * that a sender is busy is a difference of noisy times, whose least is far too small: there, the
 * middle of all batches counts. */

#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 11, BATCHES = 8, SIZES = 23, BYTES_MAX = 1 << (SIZES - 1) };
/* A receive comes so much too late, in seconds. */
#define LATE 3e-3

static char *buffer;
static int rank;

static void send(int bytes)
{
    MPI_Send(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
}

static void receive(int bytes)
{
    MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Round trips of a batch: many of short messages, few of long ones. */
static int turns_of(int bytes)
{
    int turns = 1 << 18;
    turns /= bytes + 2048;
    return turns < 2 ? 2 : turns;
}

/* Seconds that a message takes one way. */
static double one_way(int bytes)
{
    int turns = turns_of(bytes);
    double start = MPI_Wtime();
    for (int turn = 0; turn < turns; turn++) {
        if (rank == 0) {
            send(bytes);
            receive(bytes);
        } else {
            receive(bytes);
            send(bytes);
        }
    }
    return (MPI_Wtime() - start) / (2.0 * turns);
}

/* Seconds that the clock itself takes. */
static double clock_s(void)
{
    enum { READINGS = 1000 };
    double start = MPI_Wtime();
    for (int reading = 2; reading < READINGS; reading++)
        MPI_Wtime();
    return (MPI_Wtime() - start) / READINGS;
}

/* Seconds that a sender is busy with a message for which its receiver waits. */
static double sending(int bytes)
{
    int turns = turns_of(bytes);
    double busy = 0;
    for (int turn = 0; turn < turns; turn++) {
        if (rank == 0) {
            double start = MPI_Wtime();
            send(bytes);
            busy += MPI_Wtime() - start;
            receive(bytes);
        } else {
            receive(bytes);
            send(bytes);
        }
    }
    return busy / turns - clock_s();
}

/* Seconds that a sender is held by a receive that is posted late: 0 if it is not. */
static double held(int bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (rank == 0) {
        send(bytes);
    } else {
        usleep((useconds_t)(LATE * 1e6));
        receive(bytes);
    }
    double taken = MPI_Wtime() - start;
    return taken > LATE / 2 ? taken : 0;
}

/* What is known of a size after some rounds. */
struct found {
    double time;
    /* Of each batch; below 0 where the clock took longer than in its own measurement. */
    double busy[ROUNDS * BATCHES];
    double held;
    int rounds_held;
};

static void add(struct found *found, int round, int bytes)
{
    for (int batch = 0; batch < BATCHES; batch++) {
        int is_first = round == 0 && batch == 0;
        double time = one_way(bytes);
        found->time = is_first || time < found->time ? time : found->time;
        found->busy[round * BATCHES + batch] = sending(bytes);
    }
    double taken = held(bytes);
    found->held += taken;
    found->rounds_held += taken > 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Middle of what batches found; 0 if it is below. */
static double middle(double *values, int count)
{
    qsort(values, count, sizeof *values, compare);
    double value = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return value > 0 ? value : 0;
}

static void print(struct found *found)
{
    printf("size,time_s,send_s,held_s\n");
    for (int size = 0; size < SIZES; size++) {
        struct found *it = &found[size];
        double busy = middle(it->busy, ROUNDS * BATCHES);
        int is_held = 2 * it->rounds_held > ROUNDS;
        double held = is_held ? it->held / it->rounds_held : 0;
        printf("%d,%.4e,%.4e,%.4e\n", 1 << size, it->time, busy, held);
    }
}

int main(int argc, char **argv)
{
    static struct found found[SIZES];
#ifdef __linux__
    /* A process that may not do this measures as well, where nothing else runs. */
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){ .sched_priority = 1 });
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    buffer = calloc(BYTES_MAX, 1);
    if (buffer == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int round = 0; round < ROUNDS; round++)
        for (int size = 0; size < SIZES; size++)
            add(&found[size], round, 1 << size);
    if (rank == 0)
        print(found);
    free(buffer);
    MPI_Finalize();
    return 0;
}
