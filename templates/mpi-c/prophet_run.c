/* The run: its start, its end, and what stops it. */
#include "prophet_state.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

prophet_process process;
prophet_run run;

/* The element that this thread is at. */
static _Thread_local const prophet_element *here;
/* The turns of the loops in the code that runs there. */
static _Thread_local uint32_t steps;

/* Opens the file for what this process executes. */
static void open_trace(void)
{
    char name[4096];
    int length = snprintf(name, sizeof name, "%s.%lld", run.options.trace, (long long)process.pid);
    if (length < 0 || (size_t)length >= sizeof name)
        prophet_stop("the name of the trace is too long");
    run.trace = fopen(name, "w");
    if (run.trace == NULL)
        prophet_stop("cannot write the trace `%s`", name);
}

/* Closes it; what it lacks is told. */
static void close_trace(void)
{
    if (run.trace == NULL)
        return;
    bool failed = ferror(run.trace) != 0;
    if (fclose(run.trace) != 0 || failed)
        prophet_stop("cannot write the trace `%s`", run.options.trace);
}

void prophet_start(int argc, char **argv, const prophet_model *model)
{
    int wanted = MPI_THREAD_FUNNELED, given, rank, size, code;
    if (model->threads_communicate)
        wanted = MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, wanted, &given);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    process.pid = rank;
    process.num_processes = size;
    run.model = model;
    code = prophet_read_options(argc, argv);
    if (code >= 0) {
        MPI_Finalize();
        exit(code);
    }
    if (given < wanted)
        prophet_stop("this MPI cannot be called by several threads at once");
    run.tallies = prophet_allocate((size_t)model->element_count, sizeof *run.tallies);
    omp_set_dynamic(0);
    omp_set_max_active_levels(omp_get_supported_active_levels());
    if (run.options.trace != NULL)
        open_trace();
    if (run.options.costs == PROPHET_SPIN)
        prophet_calibrate();
}

void prophet_go(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    run.zero = prophet_now();
}

int prophet_finish(void)
{
    run.times.end = prophet_now() - run.zero;
    prophet_abandon();
    close_trace();
    prophet_print();
    MPI_Finalize();
    return 0;
}

void prophet_at(const prophet_element *element)
{
    here = element;
    steps = 0;
}

void prophet_turn(void)
{
    prophet_step(&steps);
}

void prophet_stop(const char *format, ...)
{
    va_list arguments;
    char message[1000];
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "error: %s\n  process %lld", message, (long long)process.pid);
    if (here != NULL)
        fprintf(stderr, " at %s `%s` (id %lld)", here->type, here->name, (long long)here->id);
    fputc('\n', stderr);
    fflush(stderr);
    /* Open MPI's mpirun may crash when several processes abort at once: the first takes all. */
    prophet_until(prophet_now() + 0.02 * (double)(process.pid % 100));
    MPI_Abort(MPI_COMM_WORLD, 3);
    exit(3);
}

void prophet_fault(prophet_fault_kind kind)
{
    prophet_stop("%s", prophet_fault_text(kind));
}

void prophet_stuck(const prophet_element *decision)
{
    prophet_at(decision);
    prophet_stop("no guard holds, and there is no else branch");
}

void *prophet_allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (memory == NULL)
        prophet_stop("there is no memory for %zu bytes", count * size);
    return memory;
}

prophet_stream *prophet_stream_of(const prophet_element *element)
{
    static prophet_stream *streams;
    static bool *begun;
    prophet_stream *stream;
#pragma omp critical(prophet_streams)
    {
        size_t count = (size_t)run.model->element_count;
        if (streams == NULL) {
            streams = prophet_allocate(count, sizeof *streams);
            begun = prophet_allocate(count, sizeof *begun);
        }
        stream = &streams[element->index];
        if (!begun[element->index]) {
            begun[element->index] = true;
            *stream = prophet_stream_new(run.options.seed, (uint32_t)process.pid, element->id);
        }
    }
    return stream;
}

int prophet_threads(const prophet_element *element, int64_t threads)
{
    prophet_at(element);
    if (threads < 1)
        prophet_stop("a team has one thread at least, not %lld", (long long)threads);
    if (threads > 65536)
        prophet_stop("a team has at most 65536 threads, not %lld", (long long)threads);
    return (int)threads;
}

int64_t prophet_iterations(const prophet_element *element, int64_t iterations)
{
    prophet_at(element);
    if (iterations < 0)
        prophet_stop("the number of iterations is negative: %lld", (long long)iterations);
    return iterations;
}

int64_t prophet_chunk(const prophet_element *element, int64_t chunk)
{
    prophet_at(element);
    if (chunk < 1)
        prophet_stop("a chunk has one iteration at least, not %lld", (long long)chunk);
    return chunk;
}

void prophet_expect_threads(const prophet_element *element, int threads)
{
    if (omp_get_num_threads() != threads) {
        prophet_at(element);
        prophet_stop("OpenMP gives %d threads where %d are needed", omp_get_num_threads(), threads);
    }
}

void prophet_alone(const prophet_element *element)
{
    if (omp_get_num_threads() > 1) {
        prophet_at(element);
        prophet_stop("a construct that the team shares is within another one");
    }
}
