/* Clocks and counters of a thread, read without calls of the system: any of those lets others run,
 * and with busy CPUs a program took ten times as long. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef const volatile struct perf_event_mmap_page page;

/* Pages that the kernel writes for a thread, and what they and the file of times told last. */
struct watch {
    int is_open, file, error;
    page *switches, *counters[COUNTERS];
    long switched;
    int64_t off_ns, queue_ns;
};

static __thread struct watch watch __attribute__((tls_model("initial-exec")));

static int64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t wall_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

/* The page of an event that is counted for this thread; none if the kernel does not permit it. */
static page *page_of(uint32_t type, uint64_t event)
{
    struct perf_event_attr attributes = { .size = sizeof attributes, .type = type };
    attributes.config = event;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    int file = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0) return NULL;
    void *mapped = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, file, 0);
    int error = errno;
    close(file);
    errno = error;
    return mapped == MAP_FAILED ? NULL : mapped;
}

/* The count of an event, which the processor has in a register while the event is counted. */
static int64_t count_of(page *page)
{
    for (;;) {
        uint32_t sequence = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
        uint32_t index = page->index;
        int64_t count = page->offset;
#ifdef __x86_64__
        int unused = 64 - page->pmc_width;
        if (index) count += (int64_t)(__builtin_ia32_rdpmc((int)index - 1) << unused) >> unused;
#else
        (void)index;
#endif
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (page->lock == sequence) return count;
    }
}

static void open_watch(void)
{
    static const uint64_t events[COUNTERS] = { PERF_COUNT_HW_INSTRUCTIONS,
                                               PERF_COUNT_HW_CACHE_MISSES };
    watch.is_open = 1;
    watch.switches = page_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
    /* Programs count on the lowest numbers of files. */
    int low = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    watch.file = fcntl(low, F_DUPFD_CLOEXEC, 512);
    if (watch.file < 0) watch.file = low;
    else close(low);
    watch.off_ns = wall_ns() - clock_ns(CLOCK_THREAD_CPUTIME_ID);
    page *counters[COUNTERS];
    for (int counter = 0; counter < COUNTERS; counter++) {
        counters[counter] = page_of(PERF_TYPE_HARDWARE, events[counter]);
        watch.error = errno;
        if (!counters[counter]) return;
        watch.error = ENOTSUP;
#ifdef __x86_64__
        if (!counters[counter]->cap_user_rdpmc) return;
#else
        return;
#endif
    }
    watch.error = 0;
    memcpy(watch.counters, counters, sizeof counters);
}

/* Number that differs after a switch to another thread. */
static long switches(void)
{
    if (!watch.is_open) open_watch();
    if (watch.switches) return watch.switches->lock;
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

struct moment moment(void)
{
    struct moment now = { 0 };
    long number;
    do {
        number = switches();
        if (number != watch.switched) {
            char text[96];
            ssize_t bytes = pread(watch.file, text, sizeof text - 1, 0);
            text[bytes > 0 ? bytes : 0] = 0;
            /* Time on a CPU, time of waiting for one, and turns. */
            char *second = strchr(text, ' ');
            if (second) watch.queue_ns = strtoll(second, NULL, 10);
            watch.off_ns = wall_ns() - clock_ns(CLOCK_THREAD_CPUTIME_ID);
            watch.switched = number;
        }
        now.wall_ns = wall_ns();
    } while (watch.switches && watch.switches->lock != (uint32_t)number);
    now.off_ns = watch.off_ns;
    now.queue_ns = watch.queue_ns;
    if (watch.counters[0])
        for (int counter = 0; counter < COUNTERS; counter++)
            now.counts[counter] = count_of(watch.counters[counter]);
    return now;
}

const char *counters_missing(void) { return watch.error ? strerror(watch.error) : ""; }
