/* Writer of a rank's file, which is mapped into memory: what was recorded is there, however the
 * program ends, and no call of the system is needed for most records. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes of the file that are mapped at a time. */
#define WINDOW ((uint64_t)1 << 20)
/* Mappings begin at multiples of it on all machines. */
#define ALIGNMENT ((uint64_t)1 << 16)
/* Longest text, in bytes. */
#define TEXT_MAX ((uint64_t)1 << 16)

/* The record that is being made; it grows to the longest one. */
static unsigned char *record;
static uint64_t length, room;

static int is_writing;
static unsigned char *window;
static uint64_t window_start, window_bytes, position, limit;
static const char *name;

static void reserve(uint64_t bytes)
{
    if (length + bytes <= room) return;
    uint64_t more = 2 * room + bytes + 1024;
    unsigned char *larger = realloc(record, more);
    if (!larger) {
        fprintf(stderr, "record: no memory for a record of %llu bytes\n",
                (unsigned long long)more);
        abort();
    }
    record = larger;
    room = more;
}

void put_byte(unsigned char byte)
{
    reserve(1);
    record[length++] = byte;
}

void put_count(uint64_t number)
{
    reserve(10);
    while (number >= 128) {
        record[length++] = (unsigned char)(number | 128);
        number >>= 7;
    }
    record[length++] = (unsigned char)number;
}

void put_number(int64_t number)
{
    put_count(((uint64_t)number << 1) ^ (uint64_t)(number >> 63));
}

void put_text(const char *text)
{
    uint64_t bytes = strlen(text);
    /* Readers take no longer ones; a letter may have several bytes. */
    if (bytes > TEXT_MAX)
        for (bytes = TEXT_MAX; bytes > 0 && (text[bytes] & 0xC0) == 0x80;) bytes--;
    put_count(bytes);
    reserve(bytes);
    memcpy(record + length, text, bytes);
    length += bytes;
}

/* Takes what was put so far away, for a record that has to come first. */
unsigned char *kept_record(uint64_t *bytes)
{
    unsigned char *kept = malloc(length + 1);
    if (!kept) abort();
    memcpy(kept, record, length);
    *bytes = length;
    length = 0;
    return kept;
}

void restore_record(const unsigned char *kept, uint64_t bytes)
{
    length = 0;
    reserve(bytes);
    memcpy(record, kept, bytes);
    length = bytes;
}

void clear_record(void) { length = 0; }

static int stop(const char *why)
{
    fprintf(stderr, "record: %s: %s; nothing more is recorded there\n", name, why);
    close_writer();
    return -1;
}

/* Maps the part of the file where the next record begins, with that much room. The file is open
 * for no longer: a program may close all files, and open its own by the same number. */
static int map(uint64_t bytes)
{
    if (window) munmap(window, window_bytes);
    window = NULL;
    window_start = position & ~(ALIGNMENT - 1);
    window_bytes = position - window_start + bytes + WINDOW;
    window_bytes = (window_bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    struct rlimit most;
    if (!getrlimit(RLIMIT_FSIZE, &most) && window_start + window_bytes > most.rlim_cur)
        return stop("files may not be larger (`ulimit -f`)");
    int file = open(name, O_RDWR | O_CLOEXEC);
    if (file < 0) return stop(strerror(errno));
    /* Room that the disk does not have would end the program at its first use. */
    int error = posix_fallocate(file, (off_t)window_start, (off_t)window_bytes);
    void *mapped = error ? MAP_FAILED
                         : mmap(NULL, window_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                                (off_t)window_start);
    if (!error) error = errno;
    close(file);
    if (mapped == MAP_FAILED) return stop(strerror(error));
    window = mapped;
    return 0;
}

int open_writer(const char *path, uint64_t bytes_max)
{
    name = strdup(path);
    limit = bytes_max;
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) {
        fprintf(stderr, "record: cannot create %s: %s\n", path, strerror(errno));
        return -1;
    }
    static const char line[] = "prophet recording 1\n";
    position = sizeof line - 1;
    is_writing = 1;
    ssize_t written = write(file, line, position);
    int error = errno;
    close(file);
    return written == (ssize_t)position ? map(0) : stop(strerror(error));
}

/* Appends the record; one that is not kept is written, and the next takes its place. */
int flush_record(int is_kept)
{
    uint64_t bytes = length;
    length = 0;
    if (!is_writing || bytes == 0) return -1;
    if (position + bytes > limit) return stop("the file has reached its limit (`--limit`)");
    if (position + bytes + 1 > window_start + window_bytes && map(bytes + 1)) return -1;
    unsigned char *place = window + (position - window_start);
    memcpy(place + 1, record + 1, bytes - 1);
    if (!is_kept) {
        memset(place + 1, 0, bytes - 1);
        return 0;
    }
    /* The kind comes last: without it, readers see no record. */
    __atomic_store_n(place, record[0], __ATOMIC_RELEASE);
    position += bytes;
    return 0;
}

void abandon_writer(void)
{
    if (window) munmap(window, window_bytes);
    window = NULL;
    is_writing = 0;
}

void close_writer(void)
{
    if (is_writing && truncate(name, (off_t)position)) perror("record");
    abandon_writer();
}
