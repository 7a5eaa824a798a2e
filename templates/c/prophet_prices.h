/* Prices of operations: the table [operations] of a machine's file, each entry on a line. */
#ifndef PROPHET_PRICES_H
#define PROPHET_PRICES_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation that the machine prices: its name, the first element that uses it, the seconds. */
typedef struct {
    const char *name;
    const char *user;
    double price;
} prophet_operation;

/* An entry of a table: its name, and the begin of its value. */
typedef struct {
    const char *name;
    size_t length;
    const char *value;
} prophet_entry;

/* The line without the spaces before it. */
static inline const char *prophet_trimmed(const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

/* Reads `name = value`. */
static inline bool prophet_read_entry(const char *line, prophet_entry *entry)
{
    const char *end;
    entry->name = prophet_trimmed(line);
    end = entry->name;
    while (isalnum((unsigned char)*end) || *end == '_' || *end == '-')
        end++;
    entry->length = (size_t)(end - entry->name);
    end = prophet_trimmed(end);
    if (entry->length == 0 || *end != '=')
        return false;
    entry->value = prophet_trimmed(end + 1);
    return true;
}

/* The power of ten of a unit of time in quotes; false for another text. */
static inline bool prophet_read_unit(const char *text, int *exponent)
{
    static const struct {
        const char *name;
        int exponent;
    } units[] = {{"\"s\"", 0}, {"\"ms\"", -3}, {"\"us\"", -6}, {"\"ns\"", -9}, {"\"ps\"", -12}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strncmp(text, units[i].name, strlen(units[i].name)) != 0)
            continue;
        *exponent = units[i].exponent;
        return true;
    }
    return false;
}

/* Reads a number of at least 0 times a power of ten, rounded once. */
static inline bool prophet_read_price(const char *text, int exponent, double *price)
{
    char digits[64], scaled[96], *end;
    size_t length = 0;
    for (; *text != '\0' && *text != '#' && !isspace((unsigned char)*text); text++) {
        if (length + 1 == sizeof digits)
            return false;
        if (*text != '_')
            digits[length++] = *text;
    }
    digits[length] = '\0';
    end = strpbrk(digits, "eE");
    if (end != NULL) {
        exponent += (int)strtol(end + 1, NULL, 10);
        *end = '\0';
    }
    snprintf(scaled, sizeof scaled, "%se%d", digits, exponent);
    *price = strtod(scaled, &end);
    return *end == '\0' && isfinite(*price) && *price >= 0.0 && digits[0] != '-';
}

/* Takes the price of an operation, if it is one of these. */
static inline bool prophet_take_price(const prophet_entry *entry, int exponent,
                                      prophet_operation *const *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = operations[i]->name;
        if (strlen(name) != entry->length || strncmp(name, entry->name, entry->length) != 0)
            continue;
        return prophet_read_price(entry->value, exponent, &operations[i]->price);
    }
    return true;
}

/* Reads the table in an open file, whose unit stands before its numbers. Gives the number of the
   line that cannot be read, or 0. */
static inline long prophet_read_table(FILE *file, prophet_operation *const *operations,
                                      size_t count)
{
    char line[1024];
    bool is_text = false, is_inside = false, has_unit = false;
    int exponent = 0;
    for (long number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const char *begin = prophet_trimmed(line);
        prophet_entry entry;
        bool was_text = is_text;
        for (const char *at = line; (at = strstr(at, "\"\"\"")) != NULL; at += 3)
            is_text = !is_text;
        if (was_text || is_text || *begin == '#' || *begin == '\0')
            continue;
        if (*begin == '[') {
            is_inside = strncmp(begin, "[operations]", strlen("[operations]")) == 0;
            continue;
        }
        if (!is_inside)
            continue;
        if (!prophet_read_entry(begin, &entry))
            return number;
        if (entry.length == 4 && strncmp(entry.name, "unit", 4) == 0)
            has_unit = prophet_read_unit(entry.value, &exponent);
        else if (!has_unit || !prophet_take_price(&entry, exponent, operations, count))
            return number;
    }
    return 0;
}

/* Reads the prices of all these operations from a machine's file, which may be NULL. False, and the
   problem in words, unless all have a price. */
static inline bool prophet_read_prices(const char *path, prophet_operation *const *operations,
                                       size_t count, char *problem, size_t size)
{
    FILE *file;
    long line;
    if (count == 0)
        return true;
    if (path == NULL) {
        snprintf(problem, size, "the model uses `%s`: give --machine FILE, which prices operations",
                 operations[0]->name);
        return false;
    }
    file = fopen(path, "r");
    if (file == NULL) {
        snprintf(problem, size, "cannot read the machine file `%s`: %s", path, strerror(errno));
        return false;
    }
    line = prophet_read_table(file, operations, count);
    fclose(file);
    if (line != 0) {
        snprintf(problem, size, "%s:%ld: no unit, or no price of an operation", path, line);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!isnan(operations[i]->price))
            continue;
        snprintf(problem, size, "the machine file `%s` does not price `%s`, which `%s` uses", path,
                 operations[i]->name, operations[i]->user);
        return false;
    }
    return true;
}

#endif
