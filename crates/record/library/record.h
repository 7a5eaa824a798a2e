/* Recorder of a program's calls of MPI: what its files share.
 *
 * The library is loaded before the program's MPI and takes its calls by the profiling interface.
 * Each rank writes one file, `rank-N.calls`; `docs/recording.md` shows how to use it, and
 * `crates/import/src/calls/recording.rs` reads it.
 *
 * A file is a line of text and records. A record is a byte that tells its kind, and fields:
 *
 *   number   base 128, low groups first; signed numbers are zigzag-coded
 *   text     its length and bytes
 *
 *   INFO      key text, value text
 *   MODULE    path text; modules count from 0 in the order of their records, as what follows does
 *   SITE      module, offset in it, name of the function if the module exports it
 *   FUNCTION  name text, arguments text: words NAME=TYPE
 *   GROUP     own rank, 1 for an intercommunicator, count of ranges, (first, step, count) of each:
 *             ranks in MPI_COMM_WORLD of a communicator, or of the other side's
 *   CALL      function, site, wall time since the last call or region, the same on a CPU, wall time
 *             in the call (ns, signed), then its arguments by their types:
 *               n  signed number       t  bytes of an element of a data type
 *               c  group               h  signed difference to the last handle of the file
 *               l  count, numbers      H  count, handles
 *   THREAD    number of the thread that makes the calls that follow
 *   COUNTS    instructions and cache misses of the time before the next call or region
 *   REGION    wall time since the last call or region, the same on a CPU, name of a region that
 *             begins; no name where the innermost ends
 *   PARALLEL  number of threads, wall time of a parallel region of OpenMP that has ended
 *
 * A byte 0 ends the file. */
#ifndef RECORD_H
#define RECORD_H

#include <mpi.h>
#include <stdint.h>

enum kind { INFO = 1, MODULE, SITE, FUNCTION, GROUP, CALL, THREAD, COUNTS, REGION, PARALLEL };

/* Function of MPI; it has a number once the file has its record. */
struct function {
    const char *name;
    const char *arguments;
    int number;
};

/* Instructions and cache misses. */
#define COUNTERS 2

/* Time, how long of it the thread was on no CPU, how long of that it waited for one, and what its
 * counters have. The rest of the time is sleep, and waiting for files and other processes. */
struct moment {
    int64_t wall_ns, off_ns, queue_ns, counts[COUNTERS];
};

int64_t wall_ns(void);
struct moment moment(void);
/* The reason why there are no counters; empty if there are. */
const char *counters_missing(void);

/* Call of the program that is under way. */
struct call {
    int is_recorded, is_kept, depth;
    int64_t wall_ns, computing_ns, blocked_ns, counts[COUNTERS];
};

/* Begins a call, which is recorded unless it is inside of another one, and ends where the function
 * does in whose frame it is: by returning, or by an exception of C++. */
#define ENTER(entered)                                                                             \
    struct call entered __attribute__((cleanup(leave_call))) =                                     \
        begin_call(__builtin_frame_address(0))
struct call begin_call(void *frame);
/* Ends a call; the time before one without a record is in the time before the next. */
void leave_call(struct call *call);
/* True if the arguments of a call that returned this are right: it succeeded, or messages came, but
 * had no room or were wrong in another way. Others may be anything, as programs that handle errors
 * have them. */
int is_done(int result);
/* Begins the record of a call that has returned, with its function and the place of the call. */
void begin_record(struct call *call, struct function *function, void *site);
void end_record(void);

/* The function that a program calls without this library: MPI's, or that of a tool before it. */
#define NEXT(name)                                                                                 \
    (*({                                                                                           \
        static __typeof__(&MPI_##name) next_;                                                      \
        if (!next_) *(void **)&next_ = next_of("MPI_" #name, (void *)PMPI_##name);                 \
        next_;                                                                                     \
    }))
void *next_of(const char *name, void *own);

/* Records that a region begins, or that the innermost ends, of which the name is empty. */
void put_region(const char *name);
void put_open_regions(void);
/* Records a parallel region of OpenMP. */
void put_parallel(unsigned team, int64_t begin_ns);
/* True if the program's OpenMP has several threads, and does not report its regions. */
int has_unreported_threads(void);

/* Arguments of the record. */
void put_number(int64_t number);
void put_count(uint64_t number);
uint64_t size_in_bytes(MPI_Datatype type);
void put_type(MPI_Datatype type);
void put_no_type(void);
void put_group(MPI_Comm comm);
void put_handle(MPI_Request request);

/* Numbers of MPI that differ between implementations: any is -1, none is -2. */
int64_t rank_of(int rank);
int64_t tag_of(int tag);
int64_t index_of(int index);
/* Number of the other processes with which a collective of a communicator exchanges blocks. */
int size_of(MPI_Comm comm);
int rank_in(MPI_Comm comm);
/* Puts the neighbors from and to which a collective brings blocks; the number of the latter. */
int put_neighbors(MPI_Comm comm);

/* Begins the file of this rank, after MPI_Init, and ends it, after MPI_Finalize. */
void open_file(void);
void close_file(void);

/* The writer: a record is seen by readers as a whole, or not at all. */
int open_writer(const char *path, uint64_t bytes_max);
void put_byte(unsigned char byte);
void put_text(const char *text);
unsigned char *kept_record(uint64_t *bytes);
void restore_record(const unsigned char *record, uint64_t bytes);
void clear_record(void);
int flush_record(int is_kept);
void close_writer(void);
/* Leaves the file to the process that this one is a copy of. */
void abandon_writer(void);

#endif
