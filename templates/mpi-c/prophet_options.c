/* The command line. */
#include "prophet_state.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The texts of the flags that are no model parameter's. */
typedef struct {
    const char *nodes, *cpus, *processes, *threads, *seed, *mapping, *costs, *scale, *trace, *format,
        *machine;
} texts;

static void help(void)
{
    const prophet_model *model = run.model;
    printf("Runs the skeleton of the program of the model %s.\n\n"
           "  --nodes N            NUM_NODES of the model [default: 1]\n"
           "  --cpus-per-node C    NUM_CPUS of the model [default: 1]\n"
           "  --processes P        as many as mpirun starts, or an error\n"
           "  --threads T          NUM_THREADS of the model [default: 1]\n"
           "  --mapping MAPPING    nid: block, cyclic, or a list [default: block]\n"
           "  --seed S             seed of the random numbers [default: 1]\n"
           "  --machine FILE       prices of operations: the table [operations] in it\n"
           "  --costs spin|sleep   how costs pass [default: spin]\n"
           "  --scale F            a cost of 1 s passes in F seconds [default: 1]\n"
           "  --trace FILE         writes what each process executes, in order, to FILE.PID\n"
           "  --format json        how the result is printed\n"
           "  --set NAME=VALUE     sets a parameter by its name in the model\n",
           model->name);
    for (int i = 0; i < model->parameter_count; i++)
        if (model->parameters[i].flag != NULL)
            printf("  --%s VALUE\n", model->parameters[i].flag);
}

/* Says what is wrong, once. */
static int refuse(const char *what, const char *text)
{
    if (process.pid == 0)
        fprintf(stderr, "error: %s: `%s`\n", what, text);
    return 2;
}

static bool read_count(const char *text, int64_t least, int64_t *value)
{
    char *end;
    if (text == NULL)
        return true;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *value >= least;
}

static bool read_real(const char *text, double *value)
{
    char *end;
    if (text == NULL)
        return true;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static bool read_parameter(const prophet_parameter *parameter, const char *text)
{
    switch (parameter->type) {
    case PROPHET_INT:
        return read_count(text, INT64_MIN, parameter->value);
    case PROPHET_REAL:
        return read_real(text, parameter->value);
    case PROPHET_BOOL:
        break;
    }
    *(bool *)parameter->value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *(bool *)parameter->value || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

/* Reads NAME=VALUE. */
static int set(const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        return refuse("--set takes NAME=VALUE", text);
    for (int i = 0; i < run.model->parameter_count; i++) {
        const prophet_parameter *parameter = &run.model->parameters[i];
        size_t length = strlen(parameter->name);
        if (length != (size_t)(equals - text) || strncmp(parameter->name, text, length) != 0)
            continue;
        return read_parameter(parameter, equals + 1) ? -1 : refuse("no such value", text);
    }
    return refuse("the model has no such parameter", text);
}

/* Where the text of a flag goes; NULL for a flag that there is not. */
static const char **slot(texts *all, const char *name, size_t length)
{
    const struct {
        const char *name;
        const char **text;
    } flags[] = {
        {"nodes", &all->nodes},     {"cpus-per-node", &all->cpus}, {"processes", &all->processes},
        {"threads", &all->threads}, {"seed", &all->seed},          {"mapping", &all->mapping},
        {"costs", &all->costs},     {"scale", &all->scale},        {"trace", &all->trace},
        {"format", &all->format},   {"machine", &all->machine},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == length && strncmp(flags[i].name, name, length) == 0)
            return flags[i].text;
    return NULL;
}

/* Reads `--name value` or `--name=value` at `at`; moves `at` behind it. */
static int read_flag(texts *all, char **argv, int *at)
{
    const char *flag = argv[*at], *name = flag + 2, *value = strchr(flag, '=');
    size_t length = value != NULL ? (size_t)(value - name) : strlen(flag) - 2;
    const char **text;
    value = value != NULL ? value + 1 : argv[++*at];
    if (value == NULL)
        return refuse("there is no value for the flag", flag);
    ++*at;
    if (length == 3 && strncmp(name, "set", 3) == 0)
        return set(value);
    text = slot(all, name, length);
    if (text != NULL) {
        *text = value;
        return -1;
    }
    for (int i = 0; i < run.model->parameter_count; i++) {
        const prophet_parameter *parameter = &run.model->parameters[i];
        const char *known = parameter->flag;
        if (known == NULL || strlen(known) != length || strncmp(known, name, length) != 0)
            continue;
        return read_parameter(parameter, value) ? -1 : refuse("no such value", value);
    }
    return refuse("there is no such flag", flag);
}

/* Reads the node of this process: `block`, `cyclic`, or the nodes of all processes. */
static bool read_mapping(const char *text)
{
    process.nid = process.pid * process.num_nodes / process.num_processes;
    if (text == NULL || strcmp(text, "block") == 0)
        return true;
    if (strcmp(text, "cyclic") == 0) {
        process.nid = process.pid % process.num_nodes;
        return true;
    }
    for (int64_t pid = 0; pid < process.num_processes; pid++) {
        char *end;
        long long nid = strtoll(text, &end, 10);
        bool last = pid + 1 == process.num_processes;
        if (end == text || *end != (last ? '\0' : ',') || nid < 0 || nid >= process.num_nodes)
            return false;
        if (pid == process.pid)
            process.nid = nid;
        text = end + 1;
    }
    return true;
}

/* Reads the prices of the model's operations. */
static int read_prices(const char *path)
{
    char problem[1000];
    const prophet_model *model = run.model;
    if (prophet_read_prices(path, model->operations, (size_t)model->operation_count, problem,
                            sizeof problem))
        return -1;
    if (process.pid == 0)
        fprintf(stderr, "error: %s\n", problem);
    return 2;
}

/* Takes over what the flags say. */
static int take(const texts *all)
{
    int64_t seed = 1, processes = process.num_processes;
    process.num_nodes = process.num_cpus = process.num_threads = 1;
    run.options.scale = 1.0;
    if (!read_count(all->nodes, 1, &process.num_nodes))
        return refuse("no number of nodes", all->nodes);
    if (!read_count(all->cpus, 1, &process.num_cpus))
        return refuse("no number of CPUs", all->cpus);
    if (!read_count(all->threads, 1, &process.num_threads))
        return refuse("no number of threads", all->threads);
    if (!read_count(all->processes, 1, &processes) || processes != process.num_processes)
        return refuse("mpirun did not start so many processes", all->processes);
    if (all->seed != NULL) {
        char *end;
        errno = 0;
        run.options.seed = strtoull(all->seed, &end, 10);
        if (*end != '\0' || end == all->seed || *all->seed == '-' || errno != 0)
            return refuse("no seed", all->seed);
    } else {
        run.options.seed = (uint64_t)seed;
    }
    if (!read_mapping(all->mapping))
        return refuse("no mapping of these processes", all->mapping);
    if (all->costs != NULL && strcmp(all->costs, "sleep") == 0)
        run.options.costs = PROPHET_SLEEP;
    else if (all->costs != NULL && strcmp(all->costs, "spin") != 0)
        return refuse("costs pass by spin or sleep", all->costs);
    if (!read_real(all->scale, &run.options.scale) || run.options.scale < 0.0)
        return refuse("no scale", all->scale);
    run.options.trace = all->trace;
    if (all->format != NULL && strcmp(all->format, "json") != 0)
        return refuse("the format is json", all->format);
    return read_prices(all->machine);
}

int prophet_read_options(int argc, char **argv)
{
    texts all = {0};
    int at = 1;
    while (at < argc) {
        int code;
        if (strcmp(argv[at], "--help") == 0) {
            if (process.pid == 0)
                help();
            return 0;
        }
        if (strncmp(argv[at], "--", 2) != 0)
            return refuse("no flag", argv[at]);
        code = read_flag(&all, argv, &at);
        if (code >= 0)
            return code;
    }
    return take(&all);
}
