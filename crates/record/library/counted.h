/* Functions with counts, included once for counts of type int, as F(name), and once for large ones:
 * COUNT is the type of a count, COUNTS and OFFSETS are lists. */

#define SEND_ARGUMENTS "count=n datatype=t dest=n tag=n comm=c"
#define RECEIVE_ARGUMENTS "count=n datatype=t source=n tag=n comm=c"
#define PUT_MESSAGE(peer)                                                                          \
    {                                                                                              \
        put_number(count);                                                                         \
        put_type(type);                                                                            \
        put_number(rank_of(peer));                                                                 \
        put_number(tag_of(tag));                                                                   \
        put_group(comm);                                                                           \
    }

#define SEND(name)                                                                                 \
    int F(name)(const void *data, COUNT count, MPI_Datatype type, int dest, int tag,               \
                MPI_Comm comm)                                                                     \
    BODY(name, SEND_ARGUMENTS, P(name)(data, count, type, dest, tag, comm), PUT_MESSAGE(dest))

#define BEGIN_SEND(name)                                                                           \
    int F(name)(const void *data, COUNT count, MPI_Datatype type, int dest, int tag,               \
                MPI_Comm comm, MPI_Request *request)                                               \
    BODY(name, SEND_ARGUMENTS " request=h",                                                        \
         P(name)(data, count, type, dest, tag, comm, request), {                                   \
             PUT_MESSAGE(dest);                                                                    \
             put_handle(*request);                                                                 \
         })

#define BEGIN_RECEIVE(name)                                                                        \
    int F(name)(void *data, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,    \
                MPI_Request *request)                                                              \
    BODY(name, RECEIVE_ARGUMENTS " request=h",                                                     \
         P(name)(data, count, type, source, tag, comm, request), {                                 \
             PUT_MESSAGE(source);                                                                  \
             put_handle(*request);                                                                 \
         })

SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)
BEGIN_SEND(Isend)
BEGIN_SEND(Ibsend)
BEGIN_SEND(Issend)
BEGIN_SEND(Irsend)
BEGIN_SEND(Send_init)
BEGIN_SEND(Bsend_init)
BEGIN_SEND(Ssend_init)
BEGIN_SEND(Rsend_init)
BEGIN_RECEIVE(Irecv)
BEGIN_RECEIVE(Recv_init)

int F(Recv)(void *data, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
            MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    BODY(Recv, RECEIVE_ARGUMENTS " from=n",
         P(Recv)(data, count, type, source, tag, comm, status), {
             PUT_MESSAGE(source);
             put_number(rank_of(result == MPI_SUCCESS ? status->MPI_SOURCE : source));
         })
}

int F(Sendrecv)(const void *data, COUNT count, MPI_Datatype type, int dest, int tag, void *into,
                COUNT most, MPI_Datatype as, int source, int with, MPI_Comm comm,
                MPI_Status *status)
BODY(Sendrecv,
     "sendcount=n sendtype=t dest=n sendtag=n recvcount=n recvtype=t source=n recvtag=n comm=c",
     P(Sendrecv)(data, count, type, dest, tag, into, most, as, source, with, comm, status), {
         put_number(count);
         put_type(type);
         put_number(rank_of(dest));
         put_number(tag);
         put_number(most);
         put_type(as);
         put_number(rank_of(source));
         put_number(tag_of(with));
         put_group(comm);
     })

int F(Sendrecv_replace)(void *data, COUNT count, MPI_Datatype type, int dest, int tag, int source,
                        int with, MPI_Comm comm, MPI_Status *status)
BODY(Sendrecv_replace, "count=n datatype=t dest=n sendtag=n source=n recvtag=n comm=c",
     P(Sendrecv_replace)(data, count, type, dest, tag, source, with, comm, status), {
         put_number(count);
         put_type(type);
         put_number(rank_of(dest));
         put_number(tag);
         put_number(rank_of(source));
         put_number(tag_of(with));
         put_group(comm);
     })

/* Collectives, each with its form that does not block. What a rank's arguments do not say is
 * recorded as 0: they may be no types and no counts, as beside the root of an intercommunicator. */

#define PUT_BLOCK(is_said, count, type)                                                            \
    if (is_said) {                                                                                 \
        put_number(count);                                                                         \
        put_type(type);                                                                            \
    } else {                                                                                       \
        put_number(0);                                                                             \
        put_no_type();                                                                             \
    }

#define PUT_BLOCKS(is_said, counts, type)                                                          \
    if (is_said) {                                                                                 \
        int blocks_ = size_of(comm);                                                               \
        put_count((uint64_t)blocks_);                                                              \
        for (int at_ = 0; at_ < blocks_; at_++) put_number(counts[at_]);                           \
        put_type(type);                                                                            \
    } else {                                                                                       \
        put_count(0);                                                                              \
        put_no_type();                                                                             \
    }

/* PARAMETERS and VALUES are in parentheses, and lack the communicator. */
#define OPEN(...) __VA_ARGS__
#define COLLECTIVE(name, arguments, PARAMETERS, VALUES, ...)                                       \
    int F(name)(OPEN PARAMETERS, MPI_Comm comm)                                                    \
    BODY(name, arguments " comm=c", P(name)(OPEN VALUES, comm), {                                  \
        __VA_ARGS__;                                                                               \
        put_group(comm);                                                                           \
    })
#define BEGUN(name, arguments, PARAMETERS, VALUES, ...)                                            \
    int F(name)(OPEN PARAMETERS, MPI_Comm comm, MPI_Request *request)                              \
    BODY(name, arguments " comm=c request=h", P(name)(OPEN VALUES, comm, request), {               \
        __VA_ARGS__;                                                                               \
        put_group(comm);                                                                           \
        put_handle(*request);                                                                      \
    })

#define BOTH(name, begun, arguments, PARAMETERS, VALUES, ...)                                      \
    COLLECTIVE(name, arguments, PARAMETERS, VALUES, __VA_ARGS__)                                   \
    BEGUN(begun, arguments, PARAMETERS, VALUES, __VA_ARGS__)

BOTH(Bcast, Ibcast, "count=n datatype=t root=n",
     (void *data, COUNT count, MPI_Datatype type, int root), (data, count, type, root),
     PUT_BLOCK(root != MPI_PROC_NULL, count, type) put_number(root))

BOTH(Reduce, Ireduce, "count=n datatype=t root=n",
     (const void *data, void *into, COUNT count, MPI_Datatype type, MPI_Op op, int root),
     (data, into, count, type, op, root),
     PUT_BLOCK(root != MPI_PROC_NULL, count, type) put_number(root))

#define COMBINED (const void *data, void *into, COUNT count, MPI_Datatype type, MPI_Op op)

BOTH(Allreduce, Iallreduce, "count=n datatype=t", COMBINED, (data, into, count, type, op),
     put_number(count); put_type(type))
BOTH(Scan, Iscan, "count=n datatype=t", COMBINED, (data, into, count, type, op),
     put_number(count); put_type(type))
BOTH(Exscan, Iexscan, "count=n datatype=t", COMBINED, (data, into, count, type, op),
     put_number(count); put_type(type))
BOTH(Reduce_scatter_block, Ireduce_scatter_block, "recvcount=n datatype=t", COMBINED,
     (data, into, count, type, op), put_number(count); put_type(type))
BOTH(Reduce_scatter, Ireduce_scatter, "recvcounts=l datatype=t",
     (const void *data, void *into, COUNTS counts, MPI_Datatype type, MPI_Op op),
     (data, into, counts, type, op), PUT_BLOCKS(1, counts, type))

#define BLOCK_ARGUMENTS "sendcount=n sendtype=t recvcount=n recvtype=t"
#define IS_ROOT (root == MPI_ROOT || (root >= 0 && rank_in(comm) == root))
#define IS_OTHER (root != MPI_PROC_NULL && !IS_ROOT)
#define BLOCKS_OF (const void *data, COUNT count, MPI_Datatype type, void *into, COUNT most,       \
                   MPI_Datatype as)
#define ROOTED_BLOCKS (const void *data, COUNT count, MPI_Datatype type, void *into, COUNT most,   \
                       MPI_Datatype as, int root)

BOTH(Gather, Igather, BLOCK_ARGUMENTS " root=n", ROOTED_BLOCKS,
     (data, count, type, into, most, as, root),
     PUT_BLOCK(IS_OTHER, count, type) PUT_BLOCK(IS_ROOT, most, as) put_number(root))
BOTH(Scatter, Iscatter, BLOCK_ARGUMENTS " root=n", ROOTED_BLOCKS,
     (data, count, type, into, most, as, root),
     PUT_BLOCK(IS_ROOT, count, type) PUT_BLOCK(IS_OTHER, most, as) put_number(root))
BOTH(Allgather, Iallgather, BLOCK_ARGUMENTS, BLOCKS_OF, (data, count, type, into, most, as),
     PUT_BLOCK(0, count, type) PUT_BLOCK(1, most, as))
BOTH(Alltoall, Ialltoall, BLOCK_ARGUMENTS, BLOCKS_OF, (data, count, type, into, most, as),
     PUT_BLOCK(0, count, type) PUT_BLOCK(1, most, as))

BOTH(Gatherv, Igatherv, "sendcount=n sendtype=t recvcounts=l recvtype=t root=n",
     (const void *data, COUNT count, MPI_Datatype type, void *into, COUNTS counts,
      OFFSETS offsets, MPI_Datatype as, int root),
     (data, count, type, into, counts, offsets, as, root),
     PUT_BLOCK(IS_OTHER, count, type) PUT_BLOCKS(IS_ROOT, counts, as) put_number(root))
BOTH(Scatterv, Iscatterv, "sendcounts=l sendtype=t recvcount=n recvtype=t root=n",
     (const void *data, COUNTS counts, OFFSETS offsets, MPI_Datatype type, void *into, COUNT most,
      MPI_Datatype as, int root),
     (data, counts, offsets, type, into, most, as, root),
     PUT_BLOCKS(IS_ROOT, counts, type) PUT_BLOCK(IS_OTHER, most, as) put_number(root))
BOTH(Allgatherv, Iallgatherv, "recvcounts=l recvtype=t",
     (const void *data, COUNT count, MPI_Datatype type, void *into, COUNTS counts,
      OFFSETS offsets, MPI_Datatype as),
     (data, count, type, into, counts, offsets, as), PUT_BLOCKS(1, counts, as))
/* In place, a rank sends as many as it receives. */
BOTH(Alltoallv, Ialltoallv, "sendcounts=l sendtype=t recvcounts=l recvtype=t",
     (const void *data, COUNTS counts, OFFSETS offsets, MPI_Datatype type, void *into,
      COUNTS most, OFFSETS places, MPI_Datatype as),
     (data, counts, offsets, type, into, most, places, as),
     if (data == MPI_IN_PLACE) { PUT_BLOCKS(1, most, as) } else { PUT_BLOCKS(1, counts, type) }
     PUT_BLOCKS(1, most, as))

/* Collectives of neighbors: bytes that go to each. */
#define PUT_NEIGHBORS(count, type)                                                                 \
    {                                                                                              \
        int ends_ = put_neighbors(comm);                                                           \
        put_count((uint64_t)ends_);                                                                \
        for (int at_ = 0; at_ < ends_; at_++)                                                      \
            put_number((int64_t)(count) * (int64_t)size_in_bytes(type));                           \
    }
#define NEIGHBORS(name, PARAMETERS, VALUES, count, type)                                           \
    BOTH(Neighbor_##name, Ineighbor_##name, "sources=l dests=l bytes=l", PARAMETERS, VALUES,       \
         PUT_NEIGHBORS(count, type))

NEIGHBORS(allgather, BLOCKS_OF, (data, count, type, into, most, as), count, type)
NEIGHBORS(allgatherv,
          (const void *data, COUNT count, MPI_Datatype type, void *into, COUNTS counts,
           OFFSETS offsets, MPI_Datatype as),
          (data, count, type, into, counts, offsets, as), count, type)
NEIGHBORS(alltoall, BLOCKS_OF, (data, count, type, into, most, as), count, type)
NEIGHBORS(alltoallv,
          (const void *data, COUNTS counts, OFFSETS offsets, MPI_Datatype type, void *into,
           COUNTS most, OFFSETS places, MPI_Datatype as),
          (data, counts, offsets, type, into, most, places, as), counts[at_], type)
NEIGHBORS(alltoallw,
          (const void *data, COUNTS counts, const MPI_Aint *offsets, const MPI_Datatype *types,
           void *into, COUNTS most, const MPI_Aint *places, const MPI_Datatype *as),
          (data, counts, offsets, types, into, most, places, as), counts[at_], types[at_])

#undef PUT_NEIGHBORS
#undef NEIGHBORS
#undef SEND_ARGUMENTS
#undef RECEIVE_ARGUMENTS
#undef PUT_MESSAGE
#undef SEND
#undef BEGIN_SEND
#undef BEGIN_RECEIVE
#undef PUT_BLOCK
#undef PUT_BLOCKS
#undef OPEN
#undef COLLECTIVE
#undef BEGUN
#undef BOTH
#undef COMBINED
#undef BLOCK_ARGUMENTS
#undef IS_ROOT
#undef IS_OTHER
#undef BLOCKS_OF
#undef ROOTED_BLOCKS
