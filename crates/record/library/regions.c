/* Regions that the program marks: by Caliper, whose functions this library hides, and by
 * MPI_Pcontrol with 1 and a name where a region begins, -1 and the name where it ends, as IPM has
 * them. */
#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGIONS_MAX 256

/* Regions are told apart by an attribute of Caliper, such as loops, by their object, or by name. */
#define UNKEYED UINT64_MAX

/* Open regions of the first thread, the outermost first; some begin before MPI does. */
static struct region {
    uint64_t key;
    char *name;
} regions[REGIONS_MAX];
static int count;

static int is_first_thread(void)
{
    static __thread int answer __attribute__((tls_model("initial-exec")));
    if (answer == 0) answer = gettid() == getpid() ? 1 : -1;
    return answer > 0;
}

static void begin_region(uint64_t key, const char *name)
{
    if (!name || !is_first_thread() || count == REGIONS_MAX) return;
    char *own = strdup(name);
    if (!own) abort();
    regions[count++] = (struct region){ key, own };
    put_region(own);
}

/* Ends the innermost region of that key and name, if known, and what has begun in it. */
static void end_region(uint64_t key, const char *name)
{
    if (!is_first_thread()) return;
    int at = count - 1;
    while (at >= 0 && (regions[at].key != key ||
                       (name && strcmp(regions[at].name, name) != 0)))
        at--;
    while (at >= 0 && count > at) {
        free(regions[--count].name);
        put_region("");
    }
}

void put_open_regions(void)
{
    for (int at = 0; at < count; at++) put_region(regions[at].name);
}

int MPI_Pcontrol(const int level, ...)
{
    va_list list;
    va_start(list, level);
    const char *name = level == 1 || level == -1 ? va_arg(list, const char *) : NULL;
    va_end(list);
    /* A level may come without a name: the kernel knows whether it can be read. */
    int error = errno;
    const char *read = name && access(name, F_OK) && errno == EFAULT ? NULL : name;
    errno = error;
    if (read && level == 1) begin_region(UNKEYED, read);
    if (read && level == -1) end_region(UNKEYED, read);
    return NEXT(Pcontrol)(level, name);
}

/* A function of Caliper by its name here, and the one of its library, which that hides. */
#define HIDING(name, parameters, values, begins, ends)                                             \
    void name parameters                                                                           \
    {                                                                                              \
        static void(*real) parameters;                                                             \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                      \
        begins;                                                                                    \
        if (real) real values;                                                                     \
        ends;                                                                                      \
    }
#define REGION(kind)                                                                               \
    HIDING(cali_begin_##kind, (const char *name), (name), begin_region(UNKEYED, name), )      \
    HIDING(cali_end_##kind, (const char *name), (name), , end_region(UNKEYED, name))
/* A class of C++ whose object is a region, by the names of its constructor and destructor. */
#define SCOPE(class)                                                                               \
    HIDING(_ZN4cali##class##C1EPKc, (void *scope, const char *name), (scope, name),                \
           begin_region((uintptr_t)scope, name), )                                                 \
    HIDING(_ZN4cali##class##D1Ev, (void *scope), (scope), , end_region((uintptr_t)scope, NULL))

REGION(region)
REGION(phase)
REGION(comm_region)
SCOPE(8Function)
SCOPE(15ScopeAnnotation)

/* Functions and loops of C. */
HIDING(cali_begin_string, (uint64_t key, const char *name), (key, name),
       begin_region(key, name), )
HIDING(cali_end, (uint64_t key), (key), , end_region(key, NULL))
