/* Collectives and communicators. */
#include "prophet_state.h"
#include <stdlib.h>

struct prophet_comm {
    MPI_Comm handle;
    int rank, size;
    /* Threads of a process take turns: the nth call of any is the nth call of the process. */
    omp_lock_t lock;
    prophet_comm *next;
};

/* All that there are; the last one is that of all processes. */
static prophet_comm *comms;

static prophet_comm *new_comm(MPI_Comm handle)
{
    prophet_comm *comm = prophet_allocate(1, sizeof *comm);
    comm->handle = handle;
    MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
    MPI_Comm_rank(handle, &comm->rank);
    MPI_Comm_size(handle, &comm->size);
    omp_init_lock(&comm->lock);
    comm->next = comms;
    comms = comm;
    return comm;
}

static prophet_comm *world(void)
{
    static prophet_comm *all;
#pragma omp critical(prophet_world)
    if (all == NULL)
        all = new_comm(MPI_COMM_WORLD);
    return all;
}

prophet_comm *prophet_split(const prophet_element *element, int64_t value)
{
    size_t count = (size_t)process.num_processes;
    int64_t *values = prophet_allocate(count, sizeof *values);
    int color = 0;
    MPI_Comm handle;
    prophet_at(element);
    world();
    prophet_check(MPI_Allgather(&value, 1, MPI_INT64_T, values, 1, MPI_INT64_T, MPI_COMM_WORLD));
    /* Colors are small and not negative: the first process with that value. */
    while (values[color] != value)
        color++;
    free(values);
    prophet_check(MPI_Comm_split(MPI_COMM_WORLD, color, (int)process.pid, &handle));
    /* Equal sets are one communicator, whatever expressions they come from. */
    for (prophet_comm *known = comms; known != NULL; known = known->next) {
        int result;
        MPI_Comm_compare(known->handle, handle, &result);
        if (result == MPI_CONGRUENT) {
            MPI_Comm_free(&handle);
            return known;
        }
    }
    return new_comm(handle);
}

/* A call of a collective. */
typedef struct {
    const prophet_element *element;
    prophet_comm *comm;
    double start;
} call;

static call begin(const prophet_element *element, prophet_comm *comm)
{
    call one = {element, comm != NULL ? comm : world(), prophet_begin(element)};
    omp_set_lock(&one.comm->lock);
    return one;
}

/* Ends a call that MPI answers with `code`. */
static void end(call one, int code, prophet_price price)
{
    prophet_check(code);
    omp_unset_lock(&one.comm->lock);
    prophet_pass(price);
    prophet_add(&run.times.communication, prophet_now() - one.start);
    prophet_end(one.element, one.start);
}

static int rank_of(int64_t root, const prophet_comm *comm)
{
    if (root < 0 || root >= comm->size)
        prophet_stop("root is %lld, but the ranks are numbered 0 to %d", (long long)root,
                     comm->size - 1);
    return (int)root;
}

/* Memory for a block of each rank. */
static void *blocks(int bytes, const prophet_comm *comm)
{
    return prophet_incoming((size_t)bytes * (size_t)comm->size);
}

/* A vector that can be reduced: doubles are added, bytes that are no doubles combined. */
typedef struct {
    int count;
    MPI_Datatype type;
    MPI_Op operation;
} vector;

static vector vector_of(int bytes, int parts)
{
    int of_double = (int)sizeof(double);
    vector doubles = {bytes / of_double, MPI_DOUBLE, MPI_SUM};
    vector any = {bytes, MPI_BYTE, MPI_BXOR};
    return bytes % (of_double * parts) == 0 ? doubles : any;
}

void prophet_broadcast(const prophet_element *element, prophet_comm *comm, int64_t root,
                       int64_t size, prophet_price price)
{
    call one = begin(element, comm);
    int from = rank_of(root, one.comm), bytes = prophet_bytes(size);
    void *buffer = prophet_incoming((size_t)bytes);
    end(one, MPI_Bcast(buffer, bytes, MPI_BYTE, from, one.comm->handle), price);
    prophet_give_back(buffer);
}

void prophet_reduce(const prophet_element *element, prophet_comm *comm, int64_t root, int64_t size,
                    prophet_price price)
{
    call one = begin(element, comm);
    int to = rank_of(root, one.comm), bytes = prophet_bytes(size);
    vector all = vector_of(bytes, 1);
    void *buffer = prophet_incoming((size_t)bytes);
    end(one,
        MPI_Reduce(prophet_outgoing((size_t)bytes), buffer, all.count, all.type, all.operation, to,
                   one.comm->handle),
        price);
    prophet_give_back(buffer);
}

void prophet_gather(const prophet_element *element, prophet_comm *comm, int64_t root, int64_t size,
                    prophet_price price)
{
    call one = begin(element, comm);
    int to = rank_of(root, one.comm), bytes = prophet_bytes(size);
    void *buffer = to == one.comm->rank ? blocks(bytes, one.comm) : NULL;
    end(one,
        MPI_Gather(prophet_outgoing((size_t)bytes), bytes, MPI_BYTE, buffer, bytes, MPI_BYTE, to,
                   one.comm->handle),
        price);
    if (buffer != NULL)
        prophet_give_back(buffer);
}

void prophet_scatter(const prophet_element *element, prophet_comm *comm, int64_t root, int64_t size,
                     prophet_price price)
{
    call one = begin(element, comm);
    int from = rank_of(root, one.comm), bytes = prophet_bytes(size);
    size_t all = from == one.comm->rank ? (size_t)bytes * (size_t)one.comm->size : 0;
    void *buffer = prophet_incoming((size_t)bytes);
    end(one,
        MPI_Scatter(prophet_outgoing(all), bytes, MPI_BYTE, buffer, bytes, MPI_BYTE, from,
                    one.comm->handle),
        price);
    prophet_give_back(buffer);
}

void prophet_allreduce(const prophet_element *element, prophet_comm *comm, int64_t size,
                       prophet_price price)
{
    call one = begin(element, comm);
    int bytes = prophet_bytes(size);
    vector all = vector_of(bytes, 1);
    void *buffer = prophet_incoming((size_t)bytes);
    end(one,
        MPI_Allreduce(prophet_outgoing((size_t)bytes), buffer, all.count, all.type, all.operation,
                      one.comm->handle),
        price);
    prophet_give_back(buffer);
}

void prophet_allgather(const prophet_element *element, prophet_comm *comm, int64_t size,
                       prophet_price price)
{
    call one = begin(element, comm);
    int bytes = prophet_bytes(size);
    void *buffer = blocks(bytes, one.comm);
    end(one,
        MPI_Allgather(prophet_outgoing((size_t)bytes), bytes, MPI_BYTE, buffer, bytes, MPI_BYTE,
                      one.comm->handle),
        price);
    prophet_give_back(buffer);
}

void prophet_alltoall(const prophet_element *element, prophet_comm *comm, int64_t size,
                      prophet_price price)
{
    call one = begin(element, comm);
    int bytes = prophet_bytes(size);
    void *buffer = blocks(bytes, one.comm);
    const void *sent = prophet_outgoing((size_t)bytes * (size_t)one.comm->size);
    end(one,
        MPI_Alltoall(sent, bytes, MPI_BYTE, buffer, bytes, MPI_BYTE, one.comm->handle), price);
    prophet_give_back(buffer);
}

void prophet_reducescatter(const prophet_element *element, prophet_comm *comm, int64_t size,
                           prophet_price price)
{
    call one = begin(element, comm);
    int bytes = prophet_bytes(size), ranks = one.comm->size;
    vector all = vector_of(bytes, ranks);
    int *counts = prophet_allocate((size_t)ranks, sizeof *counts);
    void *buffer = prophet_incoming((size_t)bytes);
    for (int rank = 0; rank < ranks; rank++)
        counts[rank] = all.count / ranks + (rank < all.count % ranks);
    end(one,
        MPI_Reduce_scatter(prophet_outgoing((size_t)bytes), buffer, counts, all.type,
                           all.operation, one.comm->handle),
        price);
    free(counts);
    prophet_give_back(buffer);
}

void prophet_scan(const prophet_element *element, prophet_comm *comm, int64_t size,
                  prophet_price price)
{
    call one = begin(element, comm);
    int bytes = prophet_bytes(size);
    vector all = vector_of(bytes, 1);
    void *buffer = prophet_incoming((size_t)bytes);
    end(one,
        MPI_Scan(prophet_outgoing((size_t)bytes), buffer, all.count, all.type, all.operation,
                 one.comm->handle),
        price);
    prophet_give_back(buffer);
}

void prophet_barrier(const prophet_element *element, prophet_comm *comm, prophet_price price)
{
    call one = begin(element, comm);
    end(one, MPI_Barrier(one.comm->handle), price);
}
