/* Ten loops over working sets of the sizes that are given as arguments.
 *
 * Prints lines of a loop's name, the size of its working set and the seconds of one pass. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 9 };
/* Seconds of a round, at least. */
#define ROUND_S 2e-3

/* Arrays of doubles, with as many elements (or a side of that length) as the working set has. */
struct set {
    size_t n;
    double *a, *b, *c;
    int *index;
    double sum;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void copy(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b;
    for (size_t i = 0; i < s->n; i++)
        a[i] = b[i];
}

static void triad(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b, *restrict c = s->c;
    for (size_t i = 0; i < s->n; i++)
        a[i] = b[i] + 0.5 * c[i];
}

static void dot(struct set *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->a[i] * s->b[i];
    s->sum += sum;
}

static void stencil1(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b;
    for (size_t i = 1; i + 1 < s->n; i++)
        a[i] = 0.3 * (b[i - 1] + b[i] + b[i + 1]);
}

static void stencil2(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b;
    size_t n = s->n;
    for (size_t i = 1; i + 1 < n; i++)
        for (size_t j = 1; j + 1 < n; j++)
            a[i * n + j] = 0.2 * (b[i * n + j] + b[i * n + j - 1] + b[i * n + j + 1]
                                  + b[(i - 1) * n + j] + b[(i + 1) * n + j]);
}

static void stencil3(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b;
    size_t n = s->n, m = n * n;
    for (size_t i = 1; i + 1 < n; i++)
        for (size_t j = 1; j + 1 < n; j++)
            for (size_t k = 1; k + 1 < n; k++) {
                size_t at = i * m + j * n + k;
                a[at] = 0.1 * (b[at] + b[at - 1] + b[at + 1] + b[at - n] + b[at + n]
                               + b[at - m] + b[at + m]);
            }
}

static void transpose(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b;
    size_t n = s->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[j * n + i] = b[i * n + j];
}

static void recurrence(struct set *s)
{
    double *restrict w = s->c, *restrict b = s->b;
    size_t n = s->n;
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            w[i] = w[i] + b[k * n + i] * w[i - k - 1];
}

static void product(struct set *s)
{
    size_t n = s->n;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += s->b[i * n + j] * s->c[j];
        s->a[i] = sum;
    }
}

static void gather(struct set *s)
{
    double *restrict a = s->a, *restrict b = s->b;
    for (size_t i = 0; i < s->n; i++)
        a[i] = b[s->index[i]];
}

/* A loop: the bytes of an element, and the dimensions of its arrays. */
static const struct {
    const char *name;
    void (*run)(struct set *);
    double bytes;
    int dimensions;
} loops[] = {
    { "copy", copy, 16, 1 },           { "triad", triad, 24, 1 },
    { "dot", dot, 16, 1 },             { "stencil-1d", stencil1, 16, 1 },
    { "stencil-2d", stencil2, 16, 2 }, { "stencil-3d", stencil3, 16, 3 },
    { "transpose", transpose, 16, 2 }, { "livermore-6", recurrence, 8, 2 },
    { "matrix-vector", product, 8, 2 }, { "gather", gather, 20, 1 },
};
enum { LOOPS = sizeof loops / sizeof *loops };

static void *some(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (memory == NULL)
        exit(1);
    return memory;
}

/* Arrays of so many elements, with the numbers of the elements in no order. */
static struct set make(size_t cells, size_t n, int gathers)
{
    struct set s = { .n = n };
    s.a = some(cells, sizeof *s.a);
    s.b = some(cells, sizeof *s.b);
    s.c = some(cells, sizeof *s.c);
    s.index = gathers ? some(cells, sizeof *s.index) : NULL;
    for (size_t i = 0; i < cells; i++) {
        s.a[i] = 1;
        s.b[i] = 1e-6;
        s.c[i] = 0.01;
    }
    unsigned long long state = 1;
    for (size_t i = 0; gathers && i < cells; i++) {
        state = state * 6364136223846793005ULL + 1;
        s.index[i] = (int)((state >> 33) % cells);
    }
    return s;
}

static double round_s(int loop, struct set *s, long passes)
{
    double start = now();
    for (long pass = 0; pass < passes; pass++)
        loops[loop].run(s);
    return now() - start;
}

static void measure(int loop, double bytes)
{
    double cells = bytes / loops[loop].bytes;
    size_t n = (size_t)floor(pow(cells, 1.0 / loops[loop].dimensions) + 1e-9);
    size_t all = n;
    for (int more = 1; more < loops[loop].dimensions; more++)
        all *= n;
    struct set s = make(all, n, loops[loop].run == gather);
    long passes = 1;
    while (round_s(loop, &s, passes) < ROUND_S)
        passes *= 2;
    double fastest = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++)
        fastest = fmin(fastest, round_s(loop, &s, passes) / passes);
    /* What is printed depends on the results, so that the compiler keeps them. */
    if (s.a[0] + s.c[0] + s.sum < 0)
        exit(1);
    printf("%s,%.0f,%zu,%.6e\n", loops[loop].name, bytes, n, fastest);
    free(s.a);
    free(s.b);
    free(s.c);
    free(s.index);
}

int main(int count, char **sizes)
{
    for (int loop = 0; loop < LOOPS; loop++)
        for (int size = 1; size < count; size++)
            measure(loop, atof(sizes[size]));
    return 0;
}
