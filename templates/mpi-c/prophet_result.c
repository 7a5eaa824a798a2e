/* The result: collected from all processes, printed by the first as JSON. */
#include "prophet_state.h"
#include <stdio.h>
#include <stdlib.h>

/* What a process tells of itself. */
enum { END, COMPUTE, COMMUNICATION, NID, FACTS };

/* Prints a text as a JSON string; what is not ASCII is UTF-8 already. */
static void print_string(const char *text)
{
    putchar('"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            printf("\\u%04x", (unsigned)*c);
        else
            putchar(*c);
    }
    putchar('"');
}

static void print_parameters(void)
{
    printf("  \"parameters\": {");
    for (int i = 0; i < run.model->parameter_count; i++) {
        const prophet_parameter *parameter = &run.model->parameters[i];
        printf(i > 0 ? ", " : "");
        print_string(parameter->name);
        if (parameter->type == PROPHET_INT)
            printf(": %lld", (long long)*(int64_t *)parameter->value);
        else if (parameter->type == PROPHET_REAL)
            printf(": %.17g", *(double *)parameter->value);
        else
            printf(": %s", *(bool *)parameter->value ? "true" : "false");
    }
    printf("},\n");
}

static void print_processes(const double *facts)
{
    printf("  \"processes\": [");
    for (int64_t pid = 0; pid < process.num_processes; pid++) {
        const double *of = facts + FACTS * pid;
        double wait = of[END] - of[COMPUTE] - of[COMMUNICATION];
        printf("%s\n    {\"pid\": %lld, \"nid\": %.0f, \"end_s\": %.9g, \"compute_s\": %.9g, "
               "\"communication_s\": %.9g, \"wait_s\": %.9g}",
               pid > 0 ? "," : "", (long long)pid, of[NID], of[END], of[COMPUTE],
               of[COMMUNICATION], wait > 0.0 ? wait : 0.0);
    }
    printf("\n  ],\n");
}

static void print_elements(const prophet_tally *sums, const double *longest)
{
    const char *separator = "";
    printf("  \"elements\": [");
    for (int i = 0; i < run.model->element_count; i++) {
        const prophet_element *element = run.model->elements[i];
        if (sums[i].count == 0.0)
            continue;
        printf("%s\n    {\"name\": ", separator);
        print_string(element->name);
        printf(", \"id\": %lld, \"type\": \"%s\", \"count\": %.0f, \"total_s\": %.9g, "
               "\"mean_s\": %.9g, \"max_s\": %.9g}",
               (long long)element->id, element->type, sums[i].count, sums[i].total,
               sums[i].total / sums[i].count, longest[i]);
        separator = ",";
    }
    printf("\n  ]\n");
}

/* The part that is of the whole run. */
static void print_run(double measured)
{
    char machine[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(machine, &length);
    printf("{\n  \"model\": ");
    print_string(run.model->name);
    printf(",\n  \"system\": {\"nodes\": %lld, \"cpus_per_node\": %lld, \"processes\": %lld, "
           "\"threads\": %lld},\n",
           (long long)process.num_nodes, (long long)process.num_cpus,
           (long long)process.num_processes, (long long)process.num_threads);
    print_parameters();
    printf("  \"machine\": ");
    print_string(machine);
    printf(",\n  \"seed\": %llu,\n  \"measured_time_s\": %.9g,\n",
           (unsigned long long)run.options.seed, measured);
    printf("  \"evaluation\": {\"engine\": \"mpi\", \"costs\": \"%s\", \"scale\": %.9g},\n",
           run.options.costs == PROPHET_SLEEP ? "sleep" : "spin", run.options.scale);
}

void prophet_print(void)
{
    size_t elements = (size_t)run.model->element_count;
    size_t processes = (size_t)process.num_processes;
    double mine[FACTS] = {run.times.end, run.times.compute, run.times.communication,
                          (double)process.nid};
    double *facts = prophet_allocate(processes * FACTS, sizeof *facts);
    double *longest = prophet_allocate(elements, sizeof *longest);
    double *my_longest = prophet_allocate(elements, sizeof *my_longest);
    prophet_tally *sums = prophet_allocate(elements, sizeof *sums);
    double measured = 0.0;
    for (size_t i = 0; i < elements; i++)
        my_longest[i] = run.tallies[i].max;
    MPI_Gather(mine, FACTS, MPI_DOUBLE, facts, FACTS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(my_longest, longest, (int)elements, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    /* A tally is three numbers; the sum of the longest times is not used. */
    MPI_Reduce(run.tallies, sums, 3 * (int)elements, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (size_t pid = 0; pid < processes; pid++)
        measured = fmax(measured, facts[FACTS * pid + END]);
    if (process.pid == 0) {
        print_run(measured);
        print_processes(facts);
        print_elements(sums, longest);
        printf("}\n");
    }
    free(facts);
    free(longest);
    free(my_longest);
    free(sums);
}
