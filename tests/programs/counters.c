/* Counters of a processor, for machines whose kernel has none: a library that is loaded with the
 * recorder. Each reading of the first counter is 1,000 after the one before, and of the second 10.
 * They begin below zero, as those of Linux do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define WIDTH 48
#define OFFSET 7000

static long long counts[] = { -5000, -50 };
static const long long steps[] = { 1000, 10 };

/* Does what the instruction `rdpmc` does; without a counter the processor refuses it. */
static void read_counter(int signal, siginfo_t *info, void *context)
{
    (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *next = (const unsigned char *)registers[REG_RIP];
    if (next[0] != 0x0f || next[1] != 0x33) {
        struct sigaction usual = { .sa_handler = SIG_DFL };
        sigaction(signal, &usual, NULL);
        return;
    }
    int counter = (int)registers[REG_RCX];
    unsigned long long count = (unsigned long long)(counts[counter] += steps[counter]);
    count &= (1ull << WIDTH) - 1;
    registers[REG_RAX] = (greg_t)(count & 0xffffffff);
    registers[REG_RDX] = (greg_t)(count >> 32);
    registers[REG_RIP] += 2;
}

static int file_of_counter(int counter)
{
    struct sigaction action = { .sa_sigaction = read_counter, .sa_flags = SA_SIGINFO };
    sigaction(SIGSEGV, &action, NULL);
    struct perf_event_mmap_page page = { .index = (unsigned)counter + 1, .offset = OFFSET };
    page.cap_user_rdpmc = 1;
    page.pmc_width = WIDTH;
    int file = memfd_create("counter", 0);
    if (ftruncate(file, sysconf(_SC_PAGESIZE))) return -1;
    if (pwrite(file, &page, sizeof page, 0) < 0) return -1;
    return file;
}

long syscall(long number, ...)
{
    static long (*real)(long, ...);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    long words[6];
    va_list list;
    va_start(list, number);
    for (int word = 0; word < 6; word++) words[word] = va_arg(list, long);
    va_end(list);
    const struct perf_event_attr *event = (const struct perf_event_attr *)words[0];
    if (number == SYS_perf_event_open && event->type == PERF_TYPE_HARDWARE)
        return file_of_counter(event->config == PERF_COUNT_HW_CACHE_MISSES);
    return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
