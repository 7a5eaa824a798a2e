/* What a generated program consists of: elements that are executed by MPI and OpenMP, and timed. */
#ifndef PROPHET_MPI_H
#define PROPHET_MPI_H

#include "prophet_cost.h"
#include "prophet_prices.h"
#include <omp.h>

/* An element of the model: its place in the model's list, its name, id and stereotype. */
typedef struct {
    int index;
    const char *name;
    int64_t id;
    const char *type;
} prophet_element;

typedef enum { PROPHET_INT, PROPHET_REAL, PROPHET_BOOL } prophet_type;

/* A model parameter; `flag` is NULL where the name is taken and only --set is left. `value` has
   its default, an int64_t, double or bool. */
typedef struct {
    const char *name;
    const char *flag;
    prophet_type type;
    void *value;
} prophet_parameter;

typedef struct {
    const char *name;
    const prophet_parameter *parameters;
    int parameter_count;
    /* By their index. */
    const prophet_element *const *elements;
    int element_count;
    /* The names of requests. */
    const char *const *requests;
    int request_count;
    /* The operations that the machine prices. */
    prophet_operation *const *operations;
    int operation_count;
    /* Whether threads other than the first communicate. */
    bool threads_communicate;
    /* Whether messages carry values: each then is 16 bytes longer than its size. */
    bool carries_values;
    /* Whether requests that are complete are kept for those that wait for any. */
    bool keeps_requests;
} prophet_model;

/* What the cost language knows of the process; all of the model's machine, not of this one. */
typedef struct {
    int64_t pid, nid, num_nodes, num_cpus, num_processes, num_threads;
} prophet_process;

extern prophet_process process;

static inline int64_t prophet_tid(void)
{
    return omp_get_thread_num();
}

static inline int64_t prophet_uid(void)
{
    return process.pid * process.num_threads + prophet_tid();
}

/* The run. `prophet_start` reads the command line, `prophet_go` sets the time to zero in all
   processes, `prophet_finish` prints the result and gives the exit code. */
void prophet_start(int argc, char **argv, const prophet_model *model);
void prophet_go(void);
int prophet_finish(void);

/* Names the element whose code runs next, should that fail. */
void prophet_at(const prophet_element *element);

/* Counts a turn of a loop in a piece of model code, so that none runs forever. */
void prophet_turn(void);

/* Stops the run: no guard holds and there is no else. */
PROPHET_NORETURN void prophet_stuck(const prophet_element *decision);

/* The random stream of an element in this process; each thread takes its turn. */
prophet_stream *prophet_stream_of(const prophet_element *element);

/* Begins an execution of an element, and ends it: the time between is the element's. */
double prophet_begin(const prophet_element *element);
void prophet_end(const prophet_element *element, double start);

/* action+: computes for so many seconds. */
void prophet_compute(const prophet_element *element, double cost);

/* delay: lets so many seconds pass. */
void prophet_delay(const prophet_element *element, double cost);

/* Work of an accelerator, by the tags of its element; a tag that is left out is 0. */
typedef struct {
    double fp64, fp32, fp16, int8, bytes, share, memory, cost;
    int64_t stream, device, peer, event;
} prophet_offloaded;

/* kernel, copy, event, synchronize: put the call of your accelerator here. Without one, they take
   no time. */
static inline void prophet_offload(const prophet_element *element, prophet_offloaded work)
{
    (void)work;
    prophet_end(element, prophet_begin(element));
}

/* What an element of threads that is drawn as an action does within. */
void prophet_work(const prophet_element *element, double cost);

/* The price of communication: that of the machine at hand, or one of the model, which passes
   besides the real call. */
typedef struct {
    bool by_machine;
    double cost;
} prophet_price;

static inline prophet_price prophet_by_machine(void)
{
    prophet_price price = {true, 0.0};
    return price;
}

static inline prophet_price prophet_cost(double cost)
{
    prophet_price price = {false, cost};
    return price;
}

/* A value that a message carries besides its bytes. */
typedef enum { PROPHET_NO_VALUE, PROPHET_INT_VALUE, PROPHET_REAL_VALUE } prophet_value_kind;

typedef struct {
    int64_t kind;
    union {
        int64_t of_int;
        double of_real;
    } is;
} prophet_value;

static inline prophet_value prophet_no_value(void)
{
    prophet_value value = {PROPHET_NO_VALUE, {0}};
    return value;
}

static inline prophet_value prophet_int_value(int64_t number)
{
    prophet_value value = {PROPHET_INT_VALUE, {number}};
    return value;
}

static inline prophet_value prophet_real_value(double number)
{
    prophet_value value = prophet_no_value();
    value.kind = PROPHET_REAL_VALUE;
    value.is.of_real = number;
    return value;
}

/* The variables that get what is received: the value, converted as C does, and the source, tag
   and size of the message. NULL is what nobody wants to know. Those of an nbrecv get it when a
   wait ends that. */
typedef struct {
    int64_t *into_int;
    double *into_real;
    int64_t *source, *tag, *size;
} prophet_results;

static inline prophet_results prophet_no_results(void)
{
    prophet_results results = {NULL, NULL, NULL, NULL, NULL};
    return results;
}

/* Where a source or a tag may be any, a size anything, a request has no name, a process is none. */
#define PROPHET_ANY INT64_MIN
#define PROPHET_ANY_SIZE (-1)
#define PROPHET_UNNAMED (-1)
#define PROPHET_NOT_WHOLE (INT64_MIN + 1)

/* A process whose number is a real number. */
static inline int64_t prophet_whole(double number)
{
    return number == trunc(number) ? prophet_truncate(number) : PROPHET_NOT_WHOLE;
}

/* Point to point: MPI_Send, MPI_Isend, MPI_Recv, MPI_Irecv, MPI_Sendrecv, MPI_Waitall,
   MPI_Waitany. Sizes are in bytes; that of a receive is the most that it takes. */
void prophet_bsend(const prophet_element *element, int64_t dest, int64_t size, int64_t tag,
                   prophet_price price, prophet_value value);
void prophet_nbsend(const prophet_element *element, int request, int64_t dest, int64_t size,
                    int64_t tag, prophet_price price, prophet_value value);
void prophet_brecv(const prophet_element *element, int64_t source, int64_t size, int64_t tag,
                   prophet_price price, prophet_results results);
void prophet_nbrecv(const prophet_element *element, int request, int64_t source, int64_t size,
                    int64_t tag, prophet_price price, prophet_results results);
void prophet_sendrecv(const prophet_element *element, int64_t dest, int64_t source, int64_t size,
                      int64_t tag, prophet_price price, prophet_value value,
                      prophet_results results);
/* Of some names, or of all that are outstanding. */
#define PROPHET_REQUESTS(...)                                                                      \
    (const int[]){__VA_ARGS__}, (int)PROPHET_LENGTH(((const int[]){__VA_ARGS__}))
#define PROPHET_ALL_REQUESTS NULL, 0
void prophet_wait(const prophet_element *element, const int *names, int name_count);
/* `index`, if there is one, gets the place of the name that was complete, or -1 if nothing is
   outstanding. */
void prophet_wait_any(const prophet_element *element, const int *names, int name_count,
                      int64_t *index);

/* A communicator; NULL is that of all processes. */
typedef struct prophet_comm prophet_comm;

/* The communicator of the processes that give an equal value; all processes call it. */
prophet_comm *prophet_split(const prophet_element *element, int64_t value);

/* Collectives: MPI_Bcast, MPI_Reduce and so on. `size` is MPI's count in bytes: one block for
   scatter, gather, allgather and alltoall, the whole vector else. */
void prophet_broadcast(const prophet_element *element, prophet_comm *comm, int64_t root,
                       int64_t size, prophet_price price);
void prophet_reduce(const prophet_element *element, prophet_comm *comm, int64_t root, int64_t size,
                    prophet_price price);
void prophet_gather(const prophet_element *element, prophet_comm *comm, int64_t root, int64_t size,
                    prophet_price price);
void prophet_scatter(const prophet_element *element, prophet_comm *comm, int64_t root,
                     int64_t size, prophet_price price);
void prophet_allreduce(const prophet_element *element, prophet_comm *comm, int64_t size,
                       prophet_price price);
void prophet_allgather(const prophet_element *element, prophet_comm *comm, int64_t size,
                       prophet_price price);
void prophet_alltoall(const prophet_element *element, prophet_comm *comm, int64_t size,
                      prophet_price price);
void prophet_reducescatter(const prophet_element *element, prophet_comm *comm, int64_t size,
                           prophet_price price);
void prophet_scan(const prophet_element *element, prophet_comm *comm, int64_t size,
                  prophet_price price);
void prophet_barrier(const prophet_element *element, prophet_comm *comm, prophet_price price);

/* Threads: numbers of threads, iterations and chunks, checked; and that a team came as asked. */
int prophet_threads(const prophet_element *element, int64_t threads);
int64_t prophet_iterations(const prophet_element *element, int64_t iterations);
int64_t prophet_chunk(const prophet_element *element, int64_t chunk);
void prophet_expect_threads(const prophet_element *element, int threads);

/* Stops the run if the team has several threads: not all of them come to a construct that the
   team shares where that stands within another one. */
void prophet_alone(const prophet_element *element);

#endif
