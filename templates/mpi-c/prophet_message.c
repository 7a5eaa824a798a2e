/* Messages: buffers, and point to point communication. */
#include "prophet_state.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A block of memory that receives go to. */
typedef struct block {
    struct block *next;
    size_t size;
    bool taken;
    /* Where MPI may put any type. */
    max_align_t memory[];
} block;

/* A request that nothing has waited for. */
typedef struct {
    MPI_Request handle;
    int name;
    bool receives;
    /* NULL is one that all sends share. */
    void *buffer;
    /* Of a receive. */
    prophet_results results;
    /* What is charged when it is waited for. */
    prophet_price price;
    /* When a send with a price is complete. */
    double complete;
} request;

static struct {
    request *all;
    int count, capacity, reap_at;
    /* By name: whether anything began it. */
    bool *begun;
} requests;

static block *blocks;

void prophet_check(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    prophet_stop("MPI: %s", text);
}

int prophet_bytes(int64_t size)
{
    if (size < 0)
        prophet_stop("the size is negative: %lld bytes", (long long)size);
    if (size > INT_MAX)
        prophet_stop("MPI counts up to %d bytes, not %lld", INT_MAX, (long long)size);
    return (int)size;
}

const void *prophet_outgoing(size_t size)
{
    static size_t capacity;
    static void *zeros;
    const void *memory;
#pragma omp critical(prophet_buffers)
    {
        /* The ones before stay: a send may still read there. */
        if (size > capacity || zeros == NULL) {
            capacity = 2 * size;
            zeros = prophet_allocate(capacity, 1);
            memset(zeros, 0, capacity);
        }
        memory = zeros;
    }
    return memory;
}

void *prophet_incoming(size_t size)
{
    block *best = NULL;
#pragma omp critical(prophet_buffers)
    {
        for (block *one = blocks; one != NULL; one = one->next)
            if (!one->taken && one->size >= size && (best == NULL || one->size < best->size))
                best = one;
        if (best == NULL) {
            best = prophet_allocate(1, sizeof *best + size);
            memset(best->memory, 0, size);
            best->size = size;
            best->next = blocks;
            blocks = best;
        }
        best->taken = true;
    }
    return best->memory;
}

void prophet_give_back(void *buffer)
{
    block *one = (block *)((char *)buffer - offsetof(block, memory));
#pragma omp critical(prophet_buffers)
    one->taken = false;
}

/* How much longer messages are than their sizes: the value is behind the bytes. */
static int envelope(void)
{
    return run.model->carries_values ? (int)sizeof(prophet_value) : 0;
}

/* The bytes of a message with that size. */
static int message_bytes(int64_t size)
{
    int bytes = prophet_bytes(size);
    return prophet_bytes((int64_t)bytes + envelope());
}

/* The content of a message of so many bytes: zeros, and the value; `own` is NULL, or what is to
   be given back once it is sent. */
static const void *content(int bytes, prophet_value value, void **own)
{
    *own = NULL;
    if (!run.model->carries_values)
        return prophet_outgoing((size_t)bytes);
    *own = prophet_incoming((size_t)bytes);
    memcpy((char *)*own + bytes - envelope(), &value, sizeof value);
    return *own;
}

/* Tells what has been received. */
static void tell(const MPI_Status *status, const void *buffer, prophet_results results)
{
    int bytes = 0;
    bool is_null = status->MPI_SOURCE == MPI_PROC_NULL;
    prophet_value value = prophet_int_value(0);
    if (!is_null) {
        MPI_Get_count(status, MPI_BYTE, &bytes);
        bytes -= envelope();
    }
    if (results.source != NULL)
        *results.source = is_null ? PROPHET_PROC_NULL : status->MPI_SOURCE;
    if (results.tag != NULL)
        *results.tag = is_null ? 0 : status->MPI_TAG;
    if (results.size != NULL)
        *results.size = bytes;
    if (results.into_int == NULL && results.into_real == NULL)
        return;
    if (!is_null)
        memcpy(&value, (const char *)buffer + bytes, sizeof value);
    if (value.kind == PROPHET_NO_VALUE)
        prophet_stop("the message from process %d with tag %d carries no value, but its receive "
                     "wants one",
                     status->MPI_SOURCE, status->MPI_TAG);
    bool is_real = value.kind == PROPHET_REAL_VALUE;
    if (results.into_int != NULL)
        *results.into_int = is_real ? prophet_truncate(value.is.of_real) : value.is.of_int;
    if (results.into_real != NULL)
        *results.into_real = is_real ? value.is.of_real : (double)value.is.of_int;
}

/* Whether anybody wants to know what is received. */
static bool is_wanted(prophet_results results)
{
    return results.into_int != NULL || results.into_real != NULL || results.source != NULL ||
           results.tag != NULL || results.size != NULL;
}

/* A process in the role of a partner. */
static int partner(const char *role, int64_t pid)
{
    if (pid == PROPHET_PROC_NULL)
        return MPI_PROC_NULL;
    if (pid == PROPHET_NOT_WHOLE)
        prophet_stop("%s is no whole number, and so no process", role);
    if (pid < 0 || pid >= process.num_processes)
        prophet_stop("%s is %lld, but the processes are numbered 0 to %lld", role, (long long)pid,
                     (long long)process.num_processes - 1);
    return (int)pid;
}

static int source_of(int64_t pid)
{
    return pid == PROPHET_ANY ? MPI_ANY_SOURCE : partner("source", pid);
}

static int tag_of(int64_t tag)
{
    int *most, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
    if (tag < 0 || (found && tag > *most))
        prophet_stop("MPI has no tag %lld", (long long)tag);
    return (int)tag;
}

/* The tag of a receive. */
static int wanted_tag(int64_t tag)
{
    return tag == PROPHET_ANY ? MPI_ANY_TAG : tag_of(tag);
}

/* The price of a message with a partner: none with nobody. */
static prophet_price price_with(int partner, prophet_price price)
{
    return partner == MPI_PROC_NULL ? prophet_by_machine() : price;
}

/* Ends communication that began at `start`. */
static void end(const prophet_element *element, double start)
{
    prophet_add(&run.times.communication, prophet_now() - start);
    prophet_end(element, start);
}

void prophet_bsend(const prophet_element *element, int64_t dest, int64_t size, int64_t tag,
                   prophet_price price, prophet_value value)
{
    prophet_at(element);
    int to = partner("dest", dest), bytes = message_bytes(size);
    void *own;
    const void *buffer = content(bytes, value, &own);
    double start = prophet_begin(element);
    prophet_pass(price_with(to, price));
    prophet_check(MPI_Send(buffer, bytes, MPI_BYTE, to, tag_of(tag), MPI_COMM_WORLD));
    end(element, start);
    if (own != NULL)
        prophet_give_back(own);
}

/* Receives a message of at most `size` bytes. */
static void receive(int source, int64_t size, int tag, prophet_results results)
{
    MPI_Status status;
    void *buffer;
    if (size == PROPHET_ANY_SIZE) {
        MPI_Message message;
        int bytes;
        prophet_check(MPI_Mprobe(source, tag, MPI_COMM_WORLD, &message, &status));
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        buffer = prophet_incoming((size_t)bytes);
        prophet_check(MPI_Mrecv(buffer, bytes, MPI_BYTE, &message, &status));
    } else {
        int bytes = message_bytes(size);
        buffer = prophet_incoming((size_t)bytes);
        prophet_check(MPI_Recv(buffer, bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status));
    }
    tell(&status, buffer, results);
    prophet_give_back(buffer);
}

void prophet_brecv(const prophet_element *element, int64_t source, int64_t size, int64_t tag,
                   prophet_price price, prophet_results results)
{
    double start = prophet_begin(element);
    int from = source_of(source);
    receive(from, size, wanted_tag(tag), results);
    prophet_pass(price_with(from, price));
    end(element, start);
}

void prophet_sendrecv(const prophet_element *element, int64_t dest, int64_t source, int64_t size,
                      int64_t tag, prophet_price price, prophet_value value,
                      prophet_results results)
{
    prophet_at(element);
    int to = partner("dest", dest), from = source_of(source), label = tag_of(tag);
    int bytes = message_bytes(size);
    MPI_Status status;
    void *own;
    const void *sent = content(bytes, value, &own);
    void *received = prophet_incoming((size_t)bytes);
    double start = prophet_begin(element);
    prophet_pass(price_with(to, price));
    prophet_check(MPI_Sendrecv(sent, bytes, MPI_BYTE, to, label, received, bytes, MPI_BYTE, from,
                               label, MPI_COMM_WORLD, &status));
    prophet_pass(price_with(from, price));
    tell(&status, received, results);
    end(element, start);
    prophet_give_back(received);
    if (own != NULL)
        prophet_give_back(own);
}

/* Forgets requests that are complete and that no wait has to charge, to tell of or to count. */
static void reap(void)
{
    int kept = 0;
    for (int i = 0; i < requests.count; i++) {
        request *one = &requests.all[i];
        int complete = 0;
        if (!run.model->keeps_requests && one->price.by_machine && !is_wanted(one->results))
            prophet_check(MPI_Test(&one->handle, &complete, MPI_STATUS_IGNORE));
        if (!complete)
            requests.all[kept++] = *one;
        else if (one->buffer != NULL)
            prophet_give_back(one->buffer);
    }
    requests.count = kept;
    requests.reap_at = 2 * kept < 256 ? 256 : 2 * kept;
}

/* Notes what has begun. */
static void keep(request one)
{
#pragma omp critical(prophet_requests)
    {
        if (requests.begun == NULL)
            requests.begun = prophet_allocate((size_t)run.model->request_count, sizeof(bool));
        if (one.name != PROPHET_UNNAMED)
            requests.begun[one.name] = true;
        if (requests.count >= requests.reap_at)
            reap();
        if (requests.count == requests.capacity) {
            int capacity = 2 * requests.capacity + 16;
            request *more = realloc(requests.all, (size_t)capacity * sizeof *more);
            if (more == NULL)
                prophet_stop("there is no memory for %d requests", capacity);
            requests.all = more;
            requests.capacity = capacity;
        }
        requests.all[requests.count++] = one;
    }
}

void prophet_nbsend(const prophet_element *element, int name, int64_t dest, int64_t size,
                    int64_t tag, prophet_price price, prophet_value value)
{
    prophet_at(element);
    int to = partner("dest", dest), bytes = message_bytes(size);
    price = price_with(to, price);
    request one = {.name = name, .price = price};
    const void *buffer = content(bytes, value, &one.buffer);
    double start = prophet_begin(element);
    one.complete = start;
    if (!price.by_machine)
        one.complete += price.cost * run.options.scale;
    prophet_check(MPI_Isend(buffer, bytes, MPI_BYTE, to, tag_of(tag), MPI_COMM_WORLD, &one.handle));
    keep(one);
    end(element, start);
}

void prophet_nbrecv(const prophet_element *element, int name, int64_t source, int64_t size,
                    int64_t tag, prophet_price price, prophet_results results)
{
    prophet_at(element);
    int from = source_of(source), bytes = message_bytes(size);
    request one = {.name = name,
                   .receives = true,
                   .price = price_with(from, price),
                   .results = results};
    one.buffer = prophet_incoming((size_t)bytes);
    double start = prophet_begin(element);
    prophet_check(
        MPI_Irecv(one.buffer, bytes, MPI_BYTE, from, wanted_tag(tag), MPI_COMM_WORLD, &one.handle));
    keep(one);
    end(element, start);
}

/* The place of a name in a list; without a list, all names are at its begin. */
static int place_of(int name, const int *names, int name_count)
{
    if (name_count == 0)
        return 0;
    for (int i = 0; i < name_count; i++) {
        if (names[i] == name)
            return i;
    }
    return -1;
}

/* Takes the requests of some names out, or all. */
static int taken(const int *names, int name_count, request **batch)
{
    int count = 0, kept = 0;
#pragma omp critical(prophet_requests)
    {
        *batch = prophet_allocate((size_t)requests.count, sizeof **batch);
        for (int i = 0; i < requests.count; i++) {
            if (place_of(requests.all[i].name, names, name_count) >= 0)
                (*batch)[count++] = requests.all[i];
            else
                requests.all[kept++] = requests.all[i];
        }
        requests.count = kept;
    }
    return count;
}

static void check_begun(const int *names, int name_count)
{
    for (int i = 0; i < name_count; i++) {
        bool begun;
#pragma omp critical(prophet_requests)
        begun = requests.begun != NULL && requests.begun[names[i]];
        if (!begun)
            prophet_stop("this process has not started a send or receive with the request `%s`",
                         run.model->requests[names[i]]);
    }
}

/* Ends a request that is complete. */
static void finish(request *one, const MPI_Status *status)
{
    if (one->receives) {
        prophet_pass(one->price);
        /* A request of nobody tells nothing. */
        if (status->MPI_SOURCE != MPI_PROC_NULL)
            tell(status, one->buffer, one->results);
    } else {
        prophet_until(one->complete);
    }
    if (one->buffer != NULL)
        prophet_give_back(one->buffer);
}

static MPI_Request *handles_of(const request *batch, int count)
{
    MPI_Request *handles = prophet_allocate((size_t)count, sizeof *handles);
    for (int i = 0; i < count; i++)
        handles[i] = batch[i].handle;
    return handles;
}

void prophet_wait(const prophet_element *element, const int *names, int name_count)
{
    double start = prophet_begin(element);
    request *batch;
    check_begun(names, name_count);
    int count = taken(names, name_count, &batch);
    MPI_Request *handles = handles_of(batch, count);
    MPI_Status *statuses = prophet_allocate((size_t)count, sizeof *statuses);
    prophet_check(MPI_Waitall(count, handles, statuses));
    for (int i = 0; i < count; i++)
        finish(&batch[i], &statuses[i]);
    free(statuses);
    free(handles);
    free(batch);
    end(element, start);
}

void prophet_wait_any(const prophet_element *element, const int *names, int name_count,
                      int64_t *index)
{
    double start = prophet_begin(element);
    request *batch;
    int count = taken(names, name_count, &batch), complete;
    MPI_Request *handles = handles_of(batch, count);
    MPI_Status status;
    int64_t place = -1;
    prophet_check(MPI_Waitany(count, handles, &complete, &status));
    for (int i = 0; i < count; i++) {
        if (i != complete)
            keep(batch[i]);
    }
    if (complete != MPI_UNDEFINED) {
        place = place_of(batch[complete].name, names, name_count);
        finish(&batch[complete], &status);
    }
    free(handles);
    free(batch);
    if (index != NULL)
        *index = place;
    end(element, start);
}

void prophet_abandon(void)
{
    for (int i = 0; i < requests.count; i++) {
        if (requests.all[i].receives)
            MPI_Cancel(&requests.all[i].handle);
        MPI_Request_free(&requests.all[i].handle);
    }
    requests.count = 0;
}
