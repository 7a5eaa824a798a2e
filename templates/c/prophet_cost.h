/* What the cost language computes with: integers, tables and random numbers, as the simulation has
   them. C99, and C++11 as well.

   Integers are int64_t and wrap: compile with -fwrapv, and with -ffp-contract=off for the digits
   of the simulation. What cannot go on calls prophet_fault(), which the program defines. */
#ifndef PROPHET_COST_H
#define PROPHET_COST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define PROPHET_NORETURN [[noreturn]]
#elif __STDC_VERSION__ >= 201112L
#define PROPHET_NORETURN _Noreturn
#else
#define PROPHET_NORETURN
#endif

/* What can go wrong inside a model's own code. */
typedef enum {
    PROPHET_DIVISION_BY_ZERO,
    PROPHET_INDEX_OUT_OF_RANGE,
    PROPHET_VARIATE,
    PROPHET_OUTSIDE_GRID,
    PROPHET_TOO_MANY_STEPS
} prophet_fault_kind;

/* Stops the run; the program's own. It names the element that it is at. */
PROPHET_NORETURN void prophet_fault(prophet_fault_kind kind);

/* The fault in words. */
static inline const char *prophet_fault_text(prophet_fault_kind kind)
{
    switch (kind) {
    case PROPHET_DIVISION_BY_ZERO:
        return "integer division by zero";
    case PROPHET_INDEX_OUT_OF_RANGE:
        return "index out of range";
    case PROPHET_VARIATE:
        return "a distribution's parameter is out of range";
    case PROPHET_OUTSIDE_GRID:
        return "a process is not on its grid, or the grid has a size below 1";
    case PROPHET_TOO_MANY_STEPS:
        break;
    }
    return "a loop did not end after 100 million steps: does its condition ever become false?";
}

/* Integers. */

/* The quotient, rounded toward zero. */
static inline int64_t prophet_div(int64_t dividend, int64_t divisor)
{
    if (divisor == 0)
        prophet_fault(PROPHET_DIVISION_BY_ZERO);
    /* The processor traps on the lowest integer by -1. */
    return divisor == -1 ? -dividend : dividend / divisor;
}

/* The remainder, with the sign of the dividend. */
static inline int64_t prophet_rem(int64_t dividend, int64_t divisor)
{
    if (divisor == 0)
        prophet_fault(PROPHET_DIVISION_BY_ZERO);
    return divisor == -1 ? 0 : dividend % divisor;
}

/* Shifts by a distance modulo 64. */
static inline int64_t prophet_shl(int64_t value, int64_t distance)
{
    return (int64_t)((uint64_t)value << (distance & 63));
}

static inline int64_t prophet_shr(int64_t value, int64_t distance)
{
    return value >> (distance & 63);
}

/* The integer part; out of range the nearest integer, 0 for NaN. */
static inline int64_t prophet_truncate(double real)
{
    if (isnan(real))
        return 0;
    if (real >= 9223372036854775808.0)
        return INT64_MAX;
    if (real < -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)real;
}

static inline int64_t prophet_abs(int64_t x)
{
    return x < 0 ? -x : x;
}

static inline int64_t prophet_max(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static inline int64_t prophet_min(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* Processes on a grid of nx times ny times nz: that at (x, y, z) is x + nx * (y + ny * z). */

/* No process, and the neighbor at a border. */
#define PROPHET_PROC_NULL ((int64_t)-1)

/* The neighbor of a process that is at a place along an axis; `stride` is between neighbors. */
static inline int64_t prophet_neighbor(int64_t process, int64_t at, int64_t size, int64_t stride,
                                       int64_t step, bool periodic)
{
    if (at + step >= 0 && at + step < size)
        return process + step * stride;
    return periodic ? process - step * (size - 1) * stride : PROPHET_PROC_NULL;
}

/* Stops the run unless the process is on the grid. */
static inline void prophet_on_grid(int64_t process, int64_t nx, int64_t ny, int64_t nz)
{
    if (nx < 1 || ny < 1 || nz < 1 || process < 0 || process / nx / ny >= nz)
        prophet_fault(PROPHET_OUTSIDE_GRID);
}

static inline int64_t prophet_grid_left(int64_t process, int64_t nx, int64_t ny, int64_t nz,
                                        bool periodic)
{
    prophet_on_grid(process, nx, ny, nz);
    return prophet_neighbor(process, process % nx, nx, 1, -1, periodic);
}

static inline int64_t prophet_grid_right(int64_t process, int64_t nx, int64_t ny, int64_t nz,
                                         bool periodic)
{
    prophet_on_grid(process, nx, ny, nz);
    return prophet_neighbor(process, process % nx, nx, 1, 1, periodic);
}

static inline int64_t prophet_grid_up(int64_t process, int64_t nx, int64_t ny, int64_t nz,
                                      bool periodic)
{
    prophet_on_grid(process, nx, ny, nz);
    return prophet_neighbor(process, process / nx % ny, ny, nx, -1, periodic);
}

static inline int64_t prophet_grid_down(int64_t process, int64_t nx, int64_t ny, int64_t nz,
                                        bool periodic)
{
    prophet_on_grid(process, nx, ny, nz);
    return prophet_neighbor(process, process / nx % ny, ny, nx, 1, periodic);
}

static inline int64_t prophet_grid_front(int64_t process, int64_t nx, int64_t ny, int64_t nz,
                                         bool periodic)
{
    prophet_on_grid(process, nx, ny, nz);
    return prophet_neighbor(process, process / nx / ny, nz, nx * ny, -1, periodic);
}

static inline int64_t prophet_grid_back(int64_t process, int64_t nx, int64_t ny, int64_t nz,
                                        bool periodic)
{
    prophet_on_grid(process, nx, ny, nz);
    return prophet_neighbor(process, process / nx / ny, nz, nx * ny, 1, periodic);
}

/* The number of an array's values. */
#define PROPHET_LENGTH(array) (sizeof(array) / sizeof *(array))

/* An index of an array of that length. */
static inline size_t prophet_index(int64_t index, size_t length)
{
    if (index < 0 || (uint64_t)index >= length)
        prophet_fault(PROPHET_INDEX_OUT_OF_RANGE);
    return (size_t)index;
}

/* Counts a turn of a loop in a piece of model code, so that none runs forever. */
static inline void prophet_step(uint32_t *steps)
{
    if (*steps == 100000000u)
        prophet_fault(PROPHET_TOO_MANY_STEPS);
    *steps += 1;
}

/* Tables. */

typedef struct {
    double x, y;
} prophet_point;

/* Points in ascending order of x. */
typedef struct {
    const prophet_point *points;
    size_t count;
} prophet_table;

/* The line between two points. */
static inline double prophet_line_at(prophet_point a, prophet_point b, double x)
{
    return a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
}

/* The width and the slope of the line between two points; no width if one is missing. */
typedef struct {
    double width, slope;
} prophet_chord;

static inline prophet_chord prophet_chord_of(const prophet_point *a, const prophet_point *b)
{
    prophet_chord chord = {0, 0};
    if (a && b && b->x - a->x > 0) {
        chord.width = b->x - a->x;
        chord.slope = (b->y - a->y) / chord.width;
    }
    return chord;
}

static inline bool prophet_turns(double first, double second)
{
    return !((first > 0 && second > 0) || (first < 0 && second < 0));
}

/* The slope where a chord meets that beside it; or, at an end, has only one across. */
static inline double prophet_slope(prophet_chord own, prophet_chord beside, prophet_chord across)
{
    double parabola, least = fabs(own.slope);
    if (beside.width > 0) {
        if (prophet_turns(own.slope, beside.slope))
            return 0;
        parabola = (beside.width * own.slope + own.width * beside.slope)
            / (own.width + beside.width);
        least = fmin(least, fabs(beside.slope));
    } else if (across.width > 0) {
        parabola =
            own.slope + own.width / (own.width + across.width) * (own.slope - across.slope);
    } else {
        return own.slope;
    }
    if (prophet_turns(parabola, own.slope))
        return 0;
    return fabs(parabola) > 3 * least ? copysign(3 * least, own.slope) : parabola;
}

/* The cubic between points a and b that rises or falls from one to the other, by their neighbors,
   which may be missing: F. N. Fritsch and R. E. Carlson, SIAM J. Numer. Anal. 17 (2), 1980. */
static inline double prophet_cubic_at(
    const prophet_point *before, prophet_point a, prophet_point b, const prophet_point *after,
    double x)
{
    prophet_chord own = {b.x - a.x, (b.y - a.y) / (b.x - a.x)};
    prophet_chord left = prophet_chord_of(before, &a), right = prophet_chord_of(&b, after);
    double first = prophet_slope(own, left, right), second = prophet_slope(own, right, left);
    double t = (x - a.x) / own.width;
    double bend = first + second - 2 * own.slope;
    double turn = 3 * own.slope - 2 * first - second;
    double y = a.y + own.width * t * (first + t * (turn + t * bend));
    double low = a.y < b.y ? a.y : b.y, high = a.y < b.y ? b.y : a.y;
    return y < low ? low : y > high ? high : y;
}

/* The number of points up to x. */
static inline size_t prophet_points_until(const prophet_table *table, double x)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->points[middle].x <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The value at x: on a line or a cubic between two points, that of the nearest outside. */
static inline double prophet_table_at(const prophet_table *table, bool monotone, double x)
{
    const prophet_point *points = table->points;
    size_t count = table->count, behind;
    if (isnan(x) || count == 0)
        return NAN;
    behind = prophet_points_until(table, x);
    if (behind == 0)
        return points[0].y;
    if (behind == count)
        return points[count - 1].y;
    if (!monotone)
        return prophet_line_at(points[behind - 1], points[behind], x);
    return prophet_cubic_at(
        behind > 1 ? &points[behind - 2] : NULL, points[behind - 1], points[behind],
        behind + 1 < count ? &points[behind + 1] : NULL, x);
}

static inline double prophet_table_linear(const prophet_table *table, double x)
{
    return prophet_table_at(table, false, x);
}

static inline double prophet_table_monotone(const prophet_table *table, double x)
{
    return prophet_table_at(table, true, x);
}

/* A table over y at some x. */
typedef struct {
    double x;
    prophet_table table;
} prophet_line;

/* Lines in ascending order of x. */
typedef struct {
    const prophet_line *lines;
    size_t count;
} prophet_surface;

/* The value at x and y: along y at up to four lines around x, then along x between these. */
static inline double prophet_surface_at(
    const prophet_surface *surface, bool monotone, double x, double y)
{
    prophet_point points[4];
    prophet_table around = {points, 0};
    size_t low = 0, high = surface->count, line;
    if (isnan(x))
        return NAN;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (surface->lines[middle].x <= x)
            low = middle + 1;
        else
            high = middle;
    }
    for (line = low > 2 ? low - 2 : 0; line < surface->count && line < low + 2; line++) {
        points[around.count].x = surface->lines[line].x;
        points[around.count].y = prophet_table_at(&surface->lines[line].table, monotone, y);
        around.count++;
    }
    return prophet_table_at(&around, monotone, x);
}

static inline double prophet_surface_linear(const prophet_surface *surface, double x, double y)
{
    return prophet_surface_at(surface, false, x, y);
}

static inline double prophet_surface_monotone(const prophet_surface *surface, double x, double y)
{
    return prophet_surface_at(surface, true, x, y);
}

/* Random numbers: xoshiro256++ of Blackman and Vigna, filled by splitmix64. */

typedef struct {
    uint64_t state[4];
} prophet_stream;

static inline uint64_t prophet_split_mix(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* The stream of the element `id` in process `pid` of a run with this seed. */
static inline prophet_stream prophet_stream_new(uint64_t seed, uint32_t pid, int64_t id)
{
    prophet_stream stream;
    uint64_t key = seed;
    int i;
    key = prophet_split_mix(&key) ^ pid;
    key = prophet_split_mix(&key) ^ (uint64_t)id;
    for (i = 0; i < 4; i++)
        stream.state[i] = prophet_split_mix(&key);
    return stream;
}

static inline uint64_t prophet_rotate_left(uint64_t bits, int distance)
{
    return (bits << distance) | (bits >> (64 - distance));
}

static inline uint64_t prophet_bits(prophet_stream *stream)
{
    uint64_t *s = stream->state;
    uint64_t bits = prophet_rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = prophet_rotate_left(s[3], 45);
    return bits;
}

/* From 0 to below 1. */
static inline double prophet_unit(prophet_stream *stream)
{
    return (double)(prophet_bits(stream) >> 11) * (1.0 / 9007199254740992.0);
}

static inline double prophet_log_unit(prophet_stream *stream)
{
    return log(1.0 - prophet_unit(stream));
}

static inline void prophet_require(bool in_range)
{
    if (!in_range)
        prophet_fault(PROPHET_VARIATE);
}

static inline bool prophet_not_negative(double x)
{
    return x >= 0.0 && isfinite(x);
}

static inline bool prophet_positive(double x)
{
    return x > 0.0 && isfinite(x);
}

#define PROPHET_TAU 6.283185307179586476925286766559

static inline double prophet_standard_normal(prophet_stream *stream)
{
    double radius = sqrt(-2.0 * prophet_log_unit(stream));
    return radius * cos(PROPHET_TAU * prophet_unit(stream));
}

/* Distributions; parameters out of range are a fault. */

static inline double prophet_uniform(prophet_stream *stream, double low, double high)
{
    double width = high - low;
    prophet_require(prophet_not_negative(width));
    return low + width * prophet_unit(stream);
}

static inline double prophet_exponential(prophet_stream *stream, double mean)
{
    prophet_require(prophet_not_negative(mean));
    return 0.0 - mean * prophet_log_unit(stream);
}

static inline double prophet_normal(prophet_stream *stream, double mean, double deviation)
{
    prophet_require(isfinite(mean) && prophet_not_negative(deviation));
    return mean + deviation * prophet_standard_normal(stream);
}

static inline double prophet_lognormal(prophet_stream *stream, double mu, double sigma)
{
    return exp(prophet_normal(stream, mu, sigma));
}

/* By Marsaglia and Tsang, for a shape of at least 1. */
static inline double prophet_standard_gamma(prophet_stream *stream, double shape)
{
    double d = shape - 1.0 / 3.0;
    double c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        double x = prophet_standard_normal(stream);
        double root = 1.0 + c * x;
        if (root > 0.0) {
            double v = root * root * root;
            if (prophet_log_unit(stream) <= 0.5 * x * x + d * (1.0 - v + log(v)))
                return d * v;
        }
    }
}

static inline double prophet_gamma(prophet_stream *stream, double shape, double scale)
{
    prophet_require(prophet_positive(shape) && prophet_not_negative(scale));
    if (shape < 1.0) {
        double boost = exp(prophet_log_unit(stream) / shape);
        return scale * prophet_standard_gamma(stream, shape + 1.0) * boost;
    }
    return scale * prophet_standard_gamma(stream, shape);
}

static inline double prophet_erlang(prophet_stream *stream, int64_t k, double mean)
{
    prophet_require(k >= 1);
    return prophet_gamma(stream, (double)k, mean / (double)k);
}

static inline double prophet_weibull(prophet_stream *stream, double shape, double scale)
{
    prophet_require(prophet_positive(shape) && prophet_not_negative(scale));
    return scale * pow(-prophet_log_unit(stream), 1.0 / shape);
}

static inline double prophet_triangular(prophet_stream *stream, double low, double mode,
                                        double high)
{
    double width = high - low, rise = mode - low, fall = high - mode, share;
    prophet_require(low <= mode && mode <= high && isfinite(width));
    share = prophet_unit(stream);
    return share * width < rise ? low + sqrt(share * width) * sqrt(rise)
                                : high - sqrt((1.0 - share) * width) * sqrt(fall);
}

/* The logarithm of the probability of k events. */
static inline double prophet_log_poisson(double k, double mean)
{
    double excess, stirling;
    if (k < 10.0)
        return k * log(mean) - mean - lgamma(k + 1.0);
    excess = (mean - k) / k;
    stirling = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (k * k)) / (k * k)) / k;
    return k * (log1p(excess) - excess) - 0.5 * log(PROPHET_TAU * k) - stirling;
}

/* By multiplying uniform numbers, for small means. */
static inline int64_t prophet_few_events(prophet_stream *stream, double mean)
{
    double limit = exp(-mean), product = prophet_unit(stream);
    int64_t count = 0;
    while (product > limit) {
        product *= prophet_unit(stream);
        count += 1;
    }
    return count;
}

/* By Hoermann's transformed rejection (PTRS), for means of 10 and more. */
static inline int64_t prophet_many_events(prophet_stream *stream, double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean);
    double a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    double quick = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        double u = prophet_unit(stream) - 0.5;
        double v = prophet_unit(stream);
        double us = 0.5 - fabs(u);
        double k = floor((2.0 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= quick)
            return prophet_truncate(k);
        if (k < 0.0 || (us < 0.013 && v > us))
            continue;
        if (log(v * inverse_alpha / (a / (us * us) + b)) <= prophet_log_poisson(k, mean))
            return prophet_truncate(k);
    }
}

static inline int64_t prophet_poisson(prophet_stream *stream, double mean)
{
    prophet_require(mean >= 0.0 && mean <= 1e15);
    return mean < 10.0 ? prophet_few_events(stream, mean) : prophet_many_events(stream, mean);
}

static inline bool prophet_bernoulli(prophet_stream *stream, double probability)
{
    prophet_require(probability >= 0.0 && probability <= 1.0);
    return prophet_unit(stream) < probability;
}

#ifdef __cplusplus
}
#endif

#endif
