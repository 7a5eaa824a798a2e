/* Functions of MPI for Fortran, which record themselves.
 *
 * All arguments are addresses; handles are numbers that C's functions translate. A function calls
 * its own Fortran form, so that addresses with a meaning (in place, ignored statuses) stay.
 * Compilers give each several names, and `mpi_f08` another one. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

typedef MPI_Fint I;

/* Calls the function that a program calls without this library. */
#define CALL_NEXT(symbol, real, values)                                                            \
    do {                                                                                           \
        static __typeof__(&real) next_;                                                            \
        if (!next_) *(void **)&next_ = next_of(#symbol, (void *)real);                             \
        next_ values;                                                                              \
    } while (0)

#define VARIANT(name, symbol, real, arguments, parameters, values, before, ...)                    \
    extern void real parameters __attribute__((weak));                                             \
    void symbol parameters;                                                                        \
    void symbol parameters                                                                         \
    {                                                                                              \
        static struct function function = { #name, arguments, 0 };                                 \
        before;                                                                                    \
        ENTER(begun);                                                                              \
        CALL_NEXT(symbol, real, values);                                                           \
        /* `mpi_f08` permits to leave the error away. */                                           \
        if (!begun.is_recorded || (error && !is_done(*error))) return;                             \
        begin_record(&begun, &function, __builtin_return_address(0));                              \
        __VA_ARGS__;                                                                               \
        end_record();                                                                              \
    }

/* The function by its names in small and in capital letters. */
#define FORTRAN(name, small, CAPITAL, arguments, parameters, values, before, ...)                  \
    VARIANT(name, small##_, p##small##_, arguments, parameters, values, before, __VA_ARGS__)       \
    VARIANT(name, small##__, p##small##__, arguments, parameters, values, before, __VA_ARGS__)     \
    VARIANT(name, CAPITAL, P##CAPITAL, arguments, parameters, values, before, __VA_ARGS__)         \
    VARIANT(name, small##_f08_, p##small##_f08_, arguments, parameters, values, before,            \
            __VA_ARGS__)

#define COMM PMPI_Comm_f2c(*comm)
#define PUT_TYPE(type) put_type(PMPI_Type_f2c(*type))
#define PUT_COMM put_group(COMM)
#define PUT_REQUEST(request) put_handle(PMPI_Request_f2c(request))

#define PUT_MESSAGE(peer)                                                                          \
    do {                                                                                           \
        put_number(*count);                                                                        \
        PUT_TYPE(type);                                                                            \
        put_number(rank_of(*peer));                                                                \
        put_number(tag_of(*tag));                                                                  \
        PUT_COMM;                                                                                  \
    } while (0)

#define SEND(name, small, CAPITAL)                                                                 \
    FORTRAN(name, small, CAPITAL, "count=n datatype=t dest=n tag=n comm=c",                        \
            (void *data, I *count, I *type, I *dest, I *tag, I *comm, I *error),                   \
            (data, count, type, dest, tag, comm, error), , PUT_MESSAGE(dest))
#define BEGIN_SEND(name, small, CAPITAL)                                                           \
    FORTRAN(name, small, CAPITAL, "count=n datatype=t dest=n tag=n comm=c request=h",              \
            (void *data, I *count, I *type, I *dest, I *tag, I *comm, I *request, I *error),       \
            (data, count, type, dest, tag, comm, request, error), , PUT_MESSAGE(dest);             \
            PUT_REQUEST(*request))
#define BEGIN_RECEIVE(name, small, CAPITAL)                                                        \
    FORTRAN(name, small, CAPITAL, "count=n datatype=t source=n tag=n comm=c request=h",            \
            (void *data, I *count, I *type, I *source, I *tag, I *comm, I *request, I *error),     \
            (data, count, type, source, tag, comm, request, error), , PUT_MESSAGE(source);         \
            PUT_REQUEST(*request))

SEND(Send, mpi_send, MPI_SEND)
SEND(Bsend, mpi_bsend, MPI_BSEND)
SEND(Ssend, mpi_ssend, MPI_SSEND)
SEND(Rsend, mpi_rsend, MPI_RSEND)
BEGIN_SEND(Isend, mpi_isend, MPI_ISEND)
BEGIN_SEND(Ibsend, mpi_ibsend, MPI_IBSEND)
BEGIN_SEND(Issend, mpi_issend, MPI_ISSEND)
BEGIN_SEND(Irsend, mpi_irsend, MPI_IRSEND)
BEGIN_SEND(Send_init, mpi_send_init, MPI_SEND_INIT)
BEGIN_SEND(Bsend_init, mpi_bsend_init, MPI_BSEND_INIT)
BEGIN_SEND(Ssend_init, mpi_ssend_init, MPI_SSEND_INIT)
BEGIN_SEND(Rsend_init, mpi_rsend_init, MPI_RSEND_INIT)
BEGIN_RECEIVE(Irecv, mpi_irecv, MPI_IRECV)
BEGIN_RECEIVE(Recv_init, mpi_recv_init, MPI_RECV_INIT)

FORTRAN(Recv, mpi_recv, MPI_RECV, "count=n datatype=t source=n tag=n comm=c",
        (void *data, I *count, I *type, I *source, I *tag, I *comm, I *status, I *error),
        (data, count, type, source, tag, comm, status, error), , PUT_MESSAGE(source))
FORTRAN(Sendrecv, mpi_sendrecv, MPI_SENDRECV,
        "sendcount=n sendtype=t dest=n sendtag=n recvcount=n recvtype=t source=n recvtag=n comm=c",
        (void *data, I *count, I *type, I *dest, I *tag, void *into, I *most, I *as, I *source,
         I *with, I *comm, I *status, I *error),
        (data, count, type, dest, tag, into, most, as, source, with, comm, status, error), ,
        put_number(*count); PUT_TYPE(type); put_number(rank_of(*dest)); put_number(*tag);
        put_number(*most); PUT_TYPE(as); put_number(rank_of(*source)); put_number(tag_of(*with));
        PUT_COMM)
FORTRAN(Sendrecv_replace, mpi_sendrecv_replace, MPI_SENDRECV_REPLACE,
        "count=n datatype=t dest=n sendtag=n source=n recvtag=n comm=c",
        (void *data, I *count, I *type, I *dest, I *tag, I *source, I *with, I *comm, I *status,
         I *error),
        (data, count, type, dest, tag, source, with, comm, status, error), ,
        put_number(*count); PUT_TYPE(type); put_number(rank_of(*dest)); put_number(*tag);
        put_number(rank_of(*source)); put_number(tag_of(*with)); PUT_COMM)

/* Requests as they are before a call, which sets those that end to none. */
struct kept {
    int count;
    I *requests;
};

static struct kept keep(int count, const I *requests)
{
    struct kept kept = { count < 0 ? 0 : count, NULL };
    size_t bytes = sizeof(I) * (size_t)kept.count;
    kept.requests = malloc(bytes + 1);
    if (!kept.requests) abort();
    memcpy(kept.requests, requests, bytes);
    return kept;
}

static void put_kept(struct kept kept, MPI_Request *handles)
{
    put_count((uint64_t)kept.count);
    for (int at = 0; at < kept.count; at++) put_handle(handles[at]);
}

static void free_handles(MPI_Request **handles) { free(*handles); }

/* Handles of requests, which the call may free. */
static MPI_Request *handles_of(struct kept kept)
{
    MPI_Request *handles = malloc(sizeof *handles * (size_t)(kept.count + 1));
    if (!handles) abort();
    for (int at = 0; at < kept.count; at++) handles[at] = PMPI_Request_f2c(kept.requests[at]);
    free(kept.requests);
    return handles;
}

#define BEFORE_ONE MPI_Request before = PMPI_Request_f2c(*request)
#define BEFORE_ALL                                                                                 \
    struct kept kept = keep(*count, requests);                                                     \
    __attribute__((cleanup(free_handles))) MPI_Request *handles = handles_of(kept)
#define PUT_ALL put_kept(kept, handles)
/* Fortran counts places from 1 on. */
#define PUT_INDEX(index) put_number(index_of(*index) < 0 ? -1 : *index - 1)
#define PUT_SOME                                                                                   \
    do {                                                                                           \
        put_count((uint64_t)(*ended < 0 ? 0 : *ended));                                            \
        for (int at = 0; at < *ended; at++) put_number(indices[at] - 1);                           \
    } while (0)

FORTRAN(Wait, mpi_wait, MPI_WAIT, "request=h", (I *request, I *status, I *error),
        (request, status, error), BEFORE_ONE, put_handle(before))
FORTRAN(Test, mpi_test, MPI_TEST, "request=h flag=n", (I *request, I *flag, I *status, I *error),
        (request, flag, status, error), BEFORE_ONE, put_handle(before); put_number(*flag != 0))
FORTRAN(Request_free, mpi_request_free, MPI_REQUEST_FREE, "request=h", (I *request, I *error),
        (request, error), BEFORE_ONE, put_handle(before))
FORTRAN(Waitall, mpi_waitall, MPI_WAITALL, "requests=H",
        (I *count, I *requests, I *statuses, I *error), (count, requests, statuses, error),
        BEFORE_ALL, PUT_ALL)
FORTRAN(Testall, mpi_testall, MPI_TESTALL, "requests=H flag=n",
        (I *count, I *requests, I *flag, I *statuses, I *error),
        (count, requests, flag, statuses, error), BEFORE_ALL, PUT_ALL; put_number(*flag != 0))
FORTRAN(Waitany, mpi_waitany, MPI_WAITANY, "requests=H index=n",
        (I *count, I *requests, I *index, I *status, I *error),
        (count, requests, index, status, error), BEFORE_ALL, PUT_ALL; PUT_INDEX(index))
FORTRAN(Testany, mpi_testany, MPI_TESTANY, "requests=H index=n flag=n",
        (I *count, I *requests, I *index, I *flag, I *status, I *error),
        (count, requests, index, flag, status, error), BEFORE_ALL, PUT_ALL;
        if (*flag) PUT_INDEX(index); else put_number(-1); put_number(*flag != 0))
FORTRAN(Waitsome, mpi_waitsome, MPI_WAITSOME, "requests=H indices=l",
        (I *count, I *requests, I *ended, I *indices, I *statuses, I *error),
        (count, requests, ended, indices, statuses, error), BEFORE_ALL, PUT_ALL; PUT_SOME)
FORTRAN(Testsome, mpi_testsome, MPI_TESTSOME, "requests=H indices=l",
        (I *count, I *requests, I *ended, I *indices, I *statuses, I *error),
        (count, requests, ended, indices, statuses, error), BEFORE_ALL, PUT_ALL; PUT_SOME)
FORTRAN(Start, mpi_start, MPI_START, "request=h", (I *request, I *error), (request, error), ,
        PUT_REQUEST(*request))
FORTRAN(Startall, mpi_startall, MPI_STARTALL, "requests=H",
        (I *count, I *requests, I *error), (count, requests, error), ,
        put_count((uint64_t)*count); for (int at = 0; at < *count; at++) PUT_REQUEST(requests[at]))

/* Collectives. */

#define IS_ROOT (*root == MPI_ROOT || (*root >= 0 && rank_in(COMM) == *root))
#define IS_NAMED (*root != MPI_PROC_NULL)
#define IS_OTHER (IS_NAMED && !IS_ROOT)
#define PUT_BLOCK(is_said, count, type)                                                            \
    do {                                                                                           \
        put_number(is_said ? *count : 0);                                                          \
        if (is_said) PUT_TYPE(type);                                                               \
        else put_no_type();                                                                        \
    } while (0)
#define PUT_BLOCKS(is_said, counts, type)                                                          \
    do {                                                                                           \
        int blocks_ = is_said ? size_of(COMM) : 0;                                                 \
        put_count((uint64_t)blocks_);                                                              \
        for (int at_ = 0; at_ < blocks_; at_++) put_number(counts[at_]);                           \
        if (is_said) PUT_TYPE(type);                                                               \
        else put_no_type();                                                                        \
    } while (0)

#define COMBINED(name, small, CAPITAL, count_name)                                                 \
    FORTRAN(name, small, CAPITAL, count_name "=n datatype=t comm=c",                               \
            (void *data, void *into, I *count, I *type, I *op, I *comm, I *error),                 \
            (data, into, count, type, op, comm, error), , put_number(*count); PUT_TYPE(type);      \
            PUT_COMM)

FORTRAN(Barrier, mpi_barrier, MPI_BARRIER, "comm=c", (I *comm, I *error), (comm, error), , PUT_COMM)
FORTRAN(Bcast, mpi_bcast, MPI_BCAST, "count=n datatype=t root=n comm=c",
        (void *data, I *count, I *type, I *root, I *comm, I *error),
        (data, count, type, root, comm, error), , PUT_BLOCK(IS_NAMED, count, type);
        put_number(*root); PUT_COMM)
FORTRAN(Reduce, mpi_reduce, MPI_REDUCE, "count=n datatype=t root=n comm=c",
        (void *data, void *into, I *count, I *type, I *op, I *root, I *comm, I *error),
        (data, into, count, type, op, root, comm, error), , PUT_BLOCK(IS_NAMED, count, type);
        put_number(*root); PUT_COMM)
COMBINED(Allreduce, mpi_allreduce, MPI_ALLREDUCE, "count")
COMBINED(Scan, mpi_scan, MPI_SCAN, "count")
COMBINED(Exscan, mpi_exscan, MPI_EXSCAN, "count")
COMBINED(Reduce_scatter_block, mpi_reduce_scatter_block, MPI_REDUCE_SCATTER_BLOCK, "recvcount")

#define BLOCK_ARGUMENTS "sendcount=n sendtype=t recvcount=n recvtype=t"

#define BLOCKS(name, small, CAPITAL)                                                               \
    FORTRAN(name, small, CAPITAL, BLOCK_ARGUMENTS " comm=c",                                       \
            (void *data, I *count, I *type, void *into, I *most, I *as, I *comm, I *error),        \
            (data, count, type, into, most, as, comm, error), , PUT_BLOCK(0, count, type);         \
            PUT_BLOCK(1, most, as); PUT_COMM)
BLOCKS(Allgather, mpi_allgather, MPI_ALLGATHER)
BLOCKS(Alltoall, mpi_alltoall, MPI_ALLTOALL)

#define ROOTED(name, small, CAPITAL, is_sent, is_received)                                         \
    FORTRAN(name, small, CAPITAL, BLOCK_ARGUMENTS " root=n comm=c",                                \
            (void *data, I *count, I *type, void *into, I *most, I *as, I *root, I *comm,          \
             I *error),                                                                            \
            (data, count, type, into, most, as, root, comm, error), ,                              \
            PUT_BLOCK(is_sent, count, type); PUT_BLOCK(is_received, most, as); put_number(*root);  \
            PUT_COMM)
ROOTED(Gather, mpi_gather, MPI_GATHER, IS_OTHER, IS_ROOT)
ROOTED(Scatter, mpi_scatter, MPI_SCATTER, IS_ROOT, IS_OTHER)

FORTRAN(Gatherv, mpi_gatherv, MPI_GATHERV,
        "sendcount=n sendtype=t recvcounts=l recvtype=t root=n comm=c",
        (void *data, I *count, I *type, void *into, I *counts, I *offsets, I *as, I *root, I *comm,
         I *error),
        (data, count, type, into, counts, offsets, as, root, comm, error), ,
        PUT_BLOCK(IS_OTHER, count, type); PUT_BLOCKS(IS_ROOT, counts, as); put_number(*root);
        PUT_COMM)
FORTRAN(Scatterv, mpi_scatterv, MPI_SCATTERV,
        "sendcounts=l sendtype=t recvcount=n recvtype=t root=n comm=c",
        (void *data, I *counts, I *offsets, I *type, void *into, I *most, I *as, I *root, I *comm,
         I *error),
        (data, counts, offsets, type, into, most, as, root, comm, error), ,
        PUT_BLOCKS(IS_ROOT, counts, type); PUT_BLOCK(IS_OTHER, most, as); put_number(*root);
        PUT_COMM)
FORTRAN(Allgatherv, mpi_allgatherv, MPI_ALLGATHERV, "recvcounts=l recvtype=t comm=c",
        (void *data, I *count, I *type, void *into, I *counts, I *offsets, I *as, I *comm,
         I *error),
        (data, count, type, into, counts, offsets, as, comm, error), , PUT_BLOCKS(1, counts, as);
        PUT_COMM)
FORTRAN(Reduce_scatter, mpi_reduce_scatter, MPI_REDUCE_SCATTER, "recvcounts=l datatype=t comm=c",
        (void *data, void *into, I *counts, I *type, I *op, I *comm, I *error),
        (data, into, counts, type, op, comm, error), , PUT_BLOCKS(1, counts, type); PUT_COMM)

/* Where Open MPI and MPICH keep the address that stands for "in place". */
extern char mpi_fortran_in_place_ __attribute__((weak));
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak));

static int is_in_place(void *data)
{
    if (&mpi_fortran_in_place_ && data == (void *)&mpi_fortran_in_place_) return 1;
    return &MPIR_F_MPI_IN_PLACE && data == MPIR_F_MPI_IN_PLACE;
}

FORTRAN(Alltoallv, mpi_alltoallv, MPI_ALLTOALLV,
        "sendcounts=l sendtype=t recvcounts=l recvtype=t comm=c",
        (void *data, I *counts, I *offsets, I *type, void *into, I *most, I *places, I *as,
         I *comm, I *error),
        (data, counts, offsets, type, into, most, places, as, comm, error), ,
        if (is_in_place(data)) PUT_BLOCKS(1, most, as); else PUT_BLOCKS(1, counts, type);
        PUT_BLOCKS(1, most, as); PUT_COMM)

/* Those of which the name alone is recorded: communicators and probes. */

#define NAMED(name, small, CAPITAL, parameters, values)                                            \
    FORTRAN(name, small, CAPITAL, "", parameters, values, , )

NAMED(Comm_dup, mpi_comm_dup, MPI_COMM_DUP, (I *comm, I *made, I *error), (comm, made, error))
NAMED(Comm_split, mpi_comm_split, MPI_COMM_SPLIT, (I *comm, I *color, I *key, I *made, I *error),
      (comm, color, key, made, error))
NAMED(Comm_create, mpi_comm_create, MPI_COMM_CREATE, (I *comm, I *group, I *made, I *error),
      (comm, group, made, error))
NAMED(Comm_free, mpi_comm_free, MPI_COMM_FREE, (I *comm, I *error), (comm, error))
NAMED(Cart_create, mpi_cart_create, MPI_CART_CREATE,
      (I *comm, I *count, I *dims, I *periods, I *reorder, I *made, I *error),
      (comm, count, dims, periods, reorder, made, error))
NAMED(Cart_sub, mpi_cart_sub, MPI_CART_SUB, (I *comm, I *remain, I *made, I *error),
      (comm, remain, made, error))
NAMED(Probe, mpi_probe, MPI_PROBE, (I *source, I *tag, I *comm, I *status, I *error),
      (source, tag, comm, status, error))
NAMED(Iprobe, mpi_iprobe, MPI_IPROBE, (I *source, I *tag, I *comm, I *flag, I *status, I *error),
      (source, tag, comm, flag, status, error))

/* Begin and end. */

#define INIT(symbol, real, parameters, values)                                                     \
    extern void real parameters __attribute__((weak));                                             \
    void symbol parameters;                                                                        \
    void symbol parameters                                                                         \
    {                                                                                              \
        {                                                                                          \
            ENTER(begun);                                                                          \
            CALL_NEXT(symbol, real, values);                                                       \
        }                                                                                          \
        int is_running = 0;                                                                        \
        PMPI_Initialized(&is_running);                                                             \
        if (is_running) open_file();                                                               \
    }
#define FINALIZE(symbol, real)                                                                     \
    extern void real(I *error) __attribute__((weak));                                              \
    void symbol(I *error);                                                                         \
    void symbol(I *error)                                                                          \
    {                                                                                              \
        static struct function function = { "Finalize", "", 0 };                                   \
        ENTER(begun);                                                                              \
        CALL_NEXT(symbol, real, (error));                                                          \
        if (!begun.is_recorded || (error && !is_done(*error))) return;                             \
        begin_record(&begun, &function, __builtin_return_address(0));                              \
        end_record();                                                                              \
        close_file();                                                                              \
    }
#define VARIANTS(small, CAPITAL, M, ...)                                                           \
    M(small##_, p##small##_, ##__VA_ARGS__)                                                        \
    M(small##__, p##small##__, ##__VA_ARGS__)                                                      \
    M(CAPITAL, P##CAPITAL, ##__VA_ARGS__)                                                          \
    M(small##_f08_, p##small##_f08_, ##__VA_ARGS__)

VARIANTS(mpi_init, MPI_INIT, INIT, (I *error), (error))
VARIANTS(mpi_init_thread, MPI_INIT_THREAD, INIT, (I *required, I *provided, I *error),
         (required, provided, error))
VARIANTS(mpi_finalize, MPI_FINALIZE, FINALIZE)
