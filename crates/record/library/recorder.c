/* The state of a rank's recording: clocks, communicators, places of calls, and the file. */
#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of records that are made to measure what one takes. */
#define TRIALS 512
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_open, functions, groups, modules, sites, threads, last_thread;
static int world_size, world_rank, group_key = MPI_KEYVAL_INVALID;
static MPI_Group world_group;
/* End of the last call, and the time between two calls that follow each other. */
static int64_t last_wall_ns, empty_ns;
static uint64_t calls, failed;
/* Time between calls that was neither computing nor waiting for a CPU. */
static int64_t blocked_ns;
/* Handles differ in few bytes from the last one. */
static int64_t last_handle;

/* Calls that the thread is in, and the frame of the outermost. */
static __thread int depth __attribute__((tls_model("initial-exec")));
static __thread void *outermost __attribute__((tls_model("initial-exec")));
static __thread int thread __attribute__((tls_model("initial-exec")));

/* End of the thread's last record, and calls since then without one. */
static __thread struct moment last __attribute__((tls_model("initial-exec")));
static __thread struct call skipped __attribute__((tls_model("initial-exec")));
/* Programs see no error of the system that is not theirs. */
static __thread int kept_errno __attribute__((tls_model("initial-exec")));

/* Writes a record that has to come before the one that is being made. */
#define BEFORE(...)                                                                                \
    do {                                                                                           \
        uint64_t bytes_;                                                                           \
        unsigned char *kept_ = kept_record(&bytes_);                                               \
        __VA_ARGS__;                                                                               \
        flush_record(1);                                                                           \
        restore_record(kept_, bytes_);                                                             \
        free(kept_);                                                                               \
    } while (0)

int64_t rank_of(int rank)
{
    if (rank == MPI_ANY_SOURCE) return -1;
    return rank == MPI_PROC_NULL ? -2 : rank;
}

int64_t tag_of(int tag) { return tag == MPI_ANY_TAG ? -1 : tag; }

int64_t index_of(int index) { return index == MPI_UNDEFINED ? -1 : index; }

int size_of(MPI_Comm comm)
{
    int size = 0, is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter) PMPI_Comm_remote_size(comm, &size);
    else PMPI_Comm_size(comm, &size);
    return size;
}

int rank_in(MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

uint64_t size_in_bytes(MPI_Datatype type)
{
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return bytes < 0 ? 0 : (uint64_t)bytes;
}

void put_type(MPI_Datatype type) { put_count(size_in_bytes(type)); }

static void put_ranks(int count, const int *ranks)
{
    put_count((uint64_t)count);
    for (int at = 0; at < count; at++) put_number(rank_of(ranks[at]));
}

int put_neighbors(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED, in = 0, out = 0, count = 0, is_weighted;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) PMPI_Cartdim_get(comm, &count);
    if (kind == MPI_CART) in = out = 2 * count;
    if (kind == MPI_GRAPH) PMPI_Graph_neighbors_count(comm, rank_in(comm), &in), out = in;
    if (kind == MPI_DIST_GRAPH) PMPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted);
    int *from = malloc(2 * sizeof *from * (size_t)(in + out + 1));
    if (!from) abort();
    int *to = from + in, *weights = to + out;
    for (int axis = 0; axis < count; axis++)
        PMPI_Cart_shift(comm, axis, 1, &to[2 * axis], &to[2 * axis + 1]);
    if (kind == MPI_GRAPH) PMPI_Graph_neighbors(comm, rank_in(comm), out, to);
    if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors(comm, in, from, weights, out, to, weights + in);
    put_ranks(in, kind == MPI_DIST_GRAPH ? from : to);
    put_ranks(out, to);
    free(from);
    return out;
}

/* A type that says nothing here may be no type. */
void put_no_type(void) { put_count(0); }

void put_handle(MPI_Request request)
{
    int64_t handle = 0;
    memcpy(&handle, &request, sizeof request);
    put_number(handle - last_handle);
    last_handle = handle;
}

/* Puts the ranks of a group as ranges of equal steps. */
static void put_ranges(const int *ranks, int count)
{
    int ranges = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) put_count((uint64_t)ranges);
        for (int first = 0; first < count;) {
            int next = first + 1, step = 1;
            if (next < count) step = ranks[next] - ranks[first];
            while (next < count && ranks[next] - ranks[next - 1] == step) next++;
            if (pass) {
                put_number(ranks[first]);
                put_number(step);
                put_count((uint64_t)(next - first));
            } else {
                ranges++;
            }
            first = next;
        }
    }
}

static void put_members(MPI_Comm comm)
{
    int is_inter = 0, count = 0;
    MPI_Group group;
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter) PMPI_Comm_remote_group(comm, &group);
    else PMPI_Comm_group(comm, &group);
    PMPI_Group_size(group, &count);
    int *own = malloc(2 * sizeof(int) * (size_t)(count + 1)), *world = own + count + 1;
    if (!own) abort();
    for (int rank = 0; rank < count; rank++) own[rank] = rank;
    PMPI_Group_translate_ranks(group, count, own, world_group, world);
    for (int rank = 0; rank < count; rank++)
        if (world[rank] == MPI_UNDEFINED) world[rank] = -1;
    put_byte(GROUP);
    put_number(rank_in(comm));
    put_count((uint64_t)is_inter);
    put_ranges(world, count);
    free(own);
    PMPI_Group_free(&group);
}

/* The number of a communicator's group is an attribute, which goes when the communicator does. */
void put_group(MPI_Comm comm)
{
    if (comm == MPI_COMM_WORLD) {
        put_count(0);
        return;
    }
    void *value = NULL;
    int is_known = 0;
    PMPI_Comm_get_attr(comm, group_key, &value, &is_known);
    int number = (int)(intptr_t)value;
    if (!is_known) {
        number = groups++;
        BEFORE(put_members(comm));
        PMPI_Comm_set_attr(comm, group_key, (void *)(intptr_t)number);
    }
    put_count((uint64_t)number);
}

/* Places of calls: a table of addresses, at most half full. */
static struct place {
    void *address;
    int number;
} *places;
static size_t places_room;

static struct place *place_of(void *address)
{
    size_t at = ((uintptr_t)address * 0x9E3779B97F4A7C15u >> 20) & (places_room - 1);
    while (places[at].address && places[at].address != address) at = (at + 1) & (places_room - 1);
    return &places[at];
}

static void grow_places(void)
{
    struct place *old = places;
    size_t count = places_room;
    places_room = count ? 2 * count : 256;
    places = calloc(places_room, sizeof *places);
    if (!places) abort();
    for (size_t at = 0; at < count; at++)
        if (old[at].address) *place_of(old[at].address) = old[at];
    free(old);
}

/* Number of the module that begins at an address. */
static int module_of(const Dl_info *info)
{
    static struct module {
        void *base;
        int number;
    } *known;
    for (int at = 0; at < modules; at++)
        if (known[at].base == info->dli_fbase) return at;
    known = realloc(known, sizeof *known * (size_t)(modules + 1));
    if (!known) abort();
    known[modules].base = info->dli_fbase;
    /* The program's own name may be relative to a folder that is left. */
    char path[4096] = "";
    if (!realpath(info->dli_fname ? info->dli_fname : "", path)) {
        ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
        path[bytes > 0 ? bytes : 0] = 0;
    }
    BEFORE((put_byte(MODULE), put_text(path)));
    return modules++;
}

static int site_of(void *address)
{
    if (2 * (size_t)(sites + 1) > places_room) grow_places();
    struct place *place = place_of(address);
    if (place->address) return place->number;
    Dl_info info;
    memset(&info, 0, sizeof info);
    int is_found = dladdr(address, &info);
    int module = is_found ? module_of(&info) : -1;
    uint64_t offset = (uint64_t)((char *)address - (char *)info.dli_fbase);
    BEFORE((put_byte(SITE), put_number(module), put_count(offset),
            put_text(info.dli_sname ? info.dli_sname : "")));
    *place = (struct place){ address, sites };
    return sites++;
}

void *next_of(const char *name, void *own)
{
    void *next = dlsym(RTLD_NEXT, name);
    return next ? next : own;
}

int is_done(int result)
{
    int class = result;
    if (result != MPI_SUCCESS) PMPI_Error_class(result, &class);
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS;
}

struct call begin_call(void *frame)
{
    /* A handler of errors may leave calls by `longjmp`: their frames were below this one. */
    if (depth > 0 && frame >= outermost) {
        depth = 0;
        __atomic_fetch_add(&failed, (uint64_t)is_open, __ATOMIC_RELAXED);
    }
    struct call call = { .is_recorded = is_open && depth == 0, .depth = depth };
    if (depth++ == 0) outermost = frame;
    if (!call.is_recorded) return call;
    int error = errno;
    struct moment now = moment();
    errno = error;
    int64_t off_ns = now.off_ns - last.off_ns;
    int64_t computing_ns = now.wall_ns - last.wall_ns - off_ns - empty_ns;
    call.wall_ns = now.wall_ns;
    call.computing_ns = computing_ns < 0 ? 0 : computing_ns;
    call.blocked_ns = off_ns - (now.queue_ns - last.queue_ns);
    for (int counter = 0; counter < COUNTERS; counter++)
        call.counts[counter] = now.counts[counter] - last.counts[counter];
    if (skipped.is_recorded) {
        call.computing_ns += skipped.computing_ns;
        call.blocked_ns += skipped.blocked_ns;
        for (int counter = 0; counter < COUNTERS; counter++)
            call.counts[counter] += skipped.counts[counter];
        skipped.is_recorded = 0;
    }
    return call;
}

void leave_call(struct call *call)
{
    depth = call->depth;
    if (!call->is_recorded || call->is_kept) return;
    __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
    skipped = *call;
    int error = errno;
    last = moment();
    errno = error;
}

/* Begins records of the time before a call or an end of a region. */
static void begin_timed(struct call *call)
{
    kept_errno = errno;
    call->is_kept = 1;
    pthread_mutex_lock(&lock);
    if (thread == 0) thread = ++threads;
    clear_record();
    if (thread != last_thread) {
        put_byte(THREAD);
        put_count((uint64_t)(thread - 1));
        flush_record(1);
        last_thread = thread;
    }
    if (call->counts[0]) {
        put_byte(COUNTS);
        for (int counter = 0; counter < COUNTERS; counter++) put_number(call->counts[counter]);
    }
    if (call->blocked_ns > 0) blocked_ns += call->blocked_ns;
}

static void put_times(const struct call *call)
{
    put_number(call->wall_ns - last_wall_ns);
    put_number(call->computing_ns);
    last_wall_ns = call->wall_ns;
}

void begin_record(struct call *call, struct function *function, void *site)
{
    int64_t end_ns = wall_ns();
    begin_timed(call);
    if (function->number == 0) {
        BEFORE((put_byte(FUNCTION), put_text(function->name), put_text(function->arguments)));
        function->number = ++functions;
    }
    int place = site_of(site);
    put_byte(CALL);
    put_count((uint64_t)(function->number - 1));
    put_count((uint64_t)place);
    put_times(call);
    put_number(end_ns - call->wall_ns);
    last_wall_ns = end_ns;
}

/* Ends a record; what it took is in no time between calls. */
static void end_of_record(int is_kept)
{
    flush_record(is_kept);
    pthread_mutex_unlock(&lock);
    last = moment();
    errno = kept_errno;
}

void end_record(void)
{
    calls++;
    end_of_record(1);
}

void put_region(const char *name)
{
    /* Regions are those of the thread that calls MPI. */
    if (thread != 1) return;
    ENTER(call);
    if (!call.is_recorded) return;
    begin_timed(&call);
    put_byte(REGION);
    put_times(&call);
    put_text(name);
    end_of_record(1);
}

void put_parallel(unsigned team, int64_t begin_ns)
{
    int64_t end_ns = wall_ns();
    if (!is_open || depth > 0) return;
    pthread_mutex_lock(&lock);
    clear_record();
    put_byte(PARALLEL);
    put_count(team);
    put_number(end_ns - begin_ns);
    flush_record(1);
    pthread_mutex_unlock(&lock);
    last.wall_ns += wall_ns() - end_ns;
}

static void put_info(const char *key, const char *value)
{
    clear_record();
    put_byte(INFO);
    put_text(key);
    put_text(value);
    flush_record(1);
}

static void put_info_number(const char *key, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)number);
    put_info(key, text);
}

/* Measures what the record of a send takes. */
static int64_t trial_ns(void)
{
    static struct function send = { "Send", "count=n datatype=t dest=n tag=n comm=c", 1 };
    int64_t best_ns = INT64_MAX, least_ns = INT64_MAX;
    for (int round = 0; round < 8; round++) {
        int64_t start_ns = wall_ns();
        for (int trial = 0; trial < TRIALS / 8; trial++) {
            ENTER(call);
            int64_t between_ns = call.wall_ns - last.wall_ns;
            if (trial && between_ns < least_ns) least_ns = between_ns;
            begin_record(&call, &send, (void *)trial_ns);
            put_number(1000);
            put_type(MPI_BYTE);
            put_number(rank_of(world_rank));
            put_number(tag_of(0));
            put_group(MPI_COMM_WORLD);
            end_of_record(0);
        }
        int64_t took_ns = (wall_ns() - start_ns) / (TRIALS / 8);
        if (took_ns < best_ns) best_ns = took_ns;
    }
    empty_ns = least_ns;
    return best_ns;
}

static void put_command(void)
{
    char text[4096];
    FILE *words = fopen("/proc/self/cmdline", "r");
    size_t bytes = words ? fread(text, 1, sizeof text - 1, words) : 0;
    if (words) fclose(words);
    for (size_t at = 0; at + 1 < bytes; at++)
        if (text[at] == 0) text[at] = '\n';
    text[bytes] = 0;
    put_info("command", text);
    ssize_t size = readlink("/proc/self/exe", text, sizeof text - 1);
    text[size > 0 ? size : 0] = 0;
    put_info("program", text);
}

/* True if the program's MPI is of another kind than the compiler's: its handles are others. */
static int is_other_mpi(void)
{
#ifdef OPEN_MPI
    int is_open_mpi = 1;
#else
    int is_open_mpi = 0;
#endif
    /* Kinds differ in the longest version, too. */
    char version[16384] = "";
    int length = 0;
    PMPI_Get_library_version(version, &length);
    if (is_open_mpi == !strncmp(version, "Open MPI", 8)) return 0;
    fputs("record: the program's MPI is not the compiler's; name its own: --mpicc PATH\n", stderr);
    return 1;
}

/* A copy of this process has no calls of MPI to record, and pages of counters are not in it. */
static void stop_in_copy(void)
{
    is_open = 0;
    abandon_writer();
}

void open_file(void)
{
    const char *folder = getenv("PROPHET_RECORD_FOLDER");
    if (!folder || is_open || is_other_mpi()) return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
    PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &group_key, NULL);
    char path[8192];
    snprintf(path, sizeof path, "%s/rank-%d.calls", folder, world_rank);
    const char *limit = getenv("PROPHET_RECORD_LIMIT");
    if (open_writer(path, limit ? strtoull(limit, NULL, 10) : UINT64_MAX)) return;
    put_info_number("rank", world_rank);
    put_info_number("ranks", world_size);
    put_command();
    const char *parameters = getenv("PROPHET_RECORD_PARAMETERS");
    put_info("parameters", parameters ? parameters : "");
    clear_record();
    put_members(MPI_COMM_WORLD);
    flush_record(1);
    groups = 1;
    pthread_atfork(NULL, NULL, stop_in_copy);
    is_open = 1;
    last = moment();
    functions = 1;
    put_byte(FUNCTION);
    put_text("Send");
    put_text("count=n datatype=t dest=n tag=n comm=c");
    flush_record(1);
    int64_t overhead_ns = trial_ns();
    put_info_number("overhead_ns", overhead_ns);
    last_wall_ns = wall_ns();
    put_info_number("start_ns", last_wall_ns);
    put_info("counters", counters_missing());
    last = moment();
    put_open_regions();
}

void close_file(void)
{
    if (!is_open) return;
    pthread_mutex_lock(&lock);
    is_open = 0;
    put_info_number("blocked_ns", blocked_ns);
    if (has_unreported_threads()) put_info("openmp", "unreported");
    put_info_number("calls", (int64_t)calls);
    put_info_number("failed", (int64_t)failed);
    close_writer();
    pthread_mutex_unlock(&lock);
}
