/* Parallel regions of OpenMP, which a runtime with the tools interface of OpenMP 5, OMPT, reports:
 * LLVM's has it, and serves programs of GCC, too; GCC's has none. */
#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Of `omp-tools.h`, which not all compilers have. */
typedef union {
    uint64_t value;
    void *pointer;
} ompt_data_t;
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_set_callback_t)(int event, ompt_interface_fn_t callback);
typedef struct {
    int (*initialize)(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);
    void (*finalize)(ompt_data_t *tool);
    ompt_data_t tool;
} ompt_start_tool_result_t;
enum { ompt_callback_parallel_begin = 3, ompt_callback_parallel_end = 4 };
enum { ompt_callback_implicit_task = 7 };
enum { ompt_scope_begin = 1 };
#define ompt_task_initial 1

static int is_reported;
/* Regions that this thread is in, and the threads and beginning of the outermost. */
static __thread int level __attribute__((tls_model("initial-exec")));
static __thread unsigned team __attribute__((tls_model("initial-exec")));
static __thread int64_t begin_ns __attribute__((tls_model("initial-exec")));

static void begin_parallel(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *place)
{
    (void)task, (void)frame, (void)parallel, (void)flags, (void)place;
    if (level > 0) return;
    team = requested;
    begin_ns = wall_ns();
}

static void change_task(int end, ompt_data_t *parallel, ompt_data_t *task, unsigned threads,
                        unsigned number, int flags)
{
    (void)parallel, (void)task;
    if (flags & ompt_task_initial) return;
    level += end == ompt_scope_begin ? 1 : -1;
    if (end == ompt_scope_begin && level == 1 && number == 0) team = threads;
}

static void end_parallel(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *place)
{
    (void)parallel, (void)task, (void)flags, (void)place;
    if (level == 0) put_parallel(team, begin_ns);
}

static int begin_tool(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
    (void)device, (void)tool;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!set) return 0;
    set(ompt_callback_parallel_begin, (ompt_interface_fn_t)begin_parallel);
    set(ompt_callback_implicit_task, (ompt_interface_fn_t)change_task);
    set(ompt_callback_parallel_end, (ompt_interface_fn_t)end_parallel);
    is_reported = 1;
    return 1;
}

static void end_tool(ompt_data_t *tool) { (void)tool; }

/* The runtime looks for this function at its first use, and takes one tool: the program's own
 * comes first. */
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    ompt_start_tool_result_t *(*own)(unsigned, const char *);
    *(void **)&own = dlsym(RTLD_NEXT, "ompt_start_tool");
    ompt_start_tool_result_t *theirs = own ? own(version, runtime) : NULL;
    if (theirs || getenv("OMP_TOOL_LIBRARIES")) return theirs;
    static ompt_start_tool_result_t tool = { begin_tool, end_tool, { 0 } };
    return &tool;
}

int has_unreported_threads(void)
{
    int (*threads)(void);
    *(void **)&threads = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
    return threads && !is_reported && threads() > 1;
}
