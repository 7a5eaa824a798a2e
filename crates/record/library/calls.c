/* Functions of MPI for C, which record themselves. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* Body of a function: its call of MPI, and what is put into the record once that has succeeded. */
#define BODY(name, arguments, called, ...)                                                         \
    {                                                                                              \
        static struct function function = { #name, arguments, 0 };                                 \
        ENTER(begun);                                                                              \
        int result = called;                                                                       \
        if (!begun.is_recorded || !is_done(result)) return result;                                 \
        begin_record(&begun, &function, __builtin_return_address(0));                              \
        __VA_ARGS__;                                                                               \
        end_record();                                                                              \
        return result;                                                                             \
    }

/* Function of which the name alone is recorded. */
#define NAMED(name, parameters, values)                                                            \
    int MPI_##name parameters BODY(name, "", NEXT(name) values, )

int MPI_Init(int *argc, char ***argv)
{
    int result;
    {
        ENTER(begun);
        result = NEXT(Init)(argc, argv);
    }
    if (result == MPI_SUCCESS) open_file();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int result;
    {
        ENTER(begun);
        result = NEXT(Init_thread)(argc, argv, required, provided);
    }
    if (result == MPI_SUCCESS) open_file();
    return result;
}

static int finalize(void *site)
{
    static struct function function = { "Finalize", "", 0 };
    ENTER(begun);
    int result = NEXT(Finalize)();
    if (!begun.is_recorded || !is_done(result)) return result;
    begin_record(&begun, &function, site);
    end_record();
    close_file();
    return result;
}

int MPI_Finalize(void) { return finalize(__builtin_return_address(0)); }

static void put_numbers(int count, const int *numbers)
{
    put_count((uint64_t)count);
    for (int at = 0; at < count; at++) put_number(numbers[at]);
}

/* Requests are recorded by their handles before the call, which sets those that end to none. */
#define HANDLES_MAX 64
struct handles {
    int count;
    MPI_Request few[HANDLES_MAX], *all;
};

static void keep_handles(struct handles *kept, int count, const MPI_Request *requests)
{
    kept->count = count < 0 || !requests ? 0 : count;
    kept->all = kept->few;
    if (kept->count > HANDLES_MAX) kept->all = malloc(sizeof *requests * (size_t)kept->count);
    if (!kept->all) abort();
    if (kept->count) memcpy(kept->all, requests, sizeof *requests * (size_t)kept->count);
}

static void put_handles(struct handles *kept)
{
    put_count((uint64_t)kept->count);
    for (int at = 0; at < kept->count; at++) put_handle(kept->all[at]);
}

static void free_handles(struct handles *kept)
{
    if (kept->all != kept->few) free(kept->all);
}

static MPI_Request one_handle(const MPI_Request *request)
{
    return request ? *request : MPI_REQUEST_NULL;
}

#define COUNT int
#define COUNTS const int *
#define OFFSETS const int *
#define F(name) MPI_##name
#define P(name) NEXT(name)
#include "counted.h"
#undef COUNT
#undef COUNTS
#undef OFFSETS
#undef F
#undef P

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define COUNTS const MPI_Count *
#define OFFSETS const MPI_Aint *
#define F(name) MPI_##name##_c
#define P(name) NEXT(name##_c)
#include "counted.h"
#endif

int MPI_Start(MPI_Request *request)
BODY(Start, "request=h", NEXT(Start)(request), put_handle(*request))

int MPI_Startall(int count, MPI_Request requests[])
BODY(Startall, "requests=H", NEXT(Startall)(count, requests), {
    put_count((uint64_t)count);
    for (int at = 0; at < count; at++) put_handle(requests[at]);
})

int MPI_Request_free(MPI_Request *request)
{
    MPI_Request before = one_handle(request);
    BODY(Request_free, "request=h", NEXT(Request_free)(request), put_handle(before))
}

int MPI_Cancel(MPI_Request *request)
BODY(Cancel, "request=h", NEXT(Cancel)(request), put_handle(*request))

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Request before = one_handle(request);
    BODY(Wait, "request=h", NEXT(Wait)(request, status), put_handle(before))
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Request before = one_handle(request);
    BODY(Test, "request=h flag=n", NEXT(Test)(request, flag, status), {
        put_handle(before);
        put_number(*flag);
    })
}

/* The body of a function of several requests, whose handles are kept before the call. */
#define KEPT(name, arguments, count, requests, called, ...)                                        \
    {                                                                                              \
        struct handles kept __attribute__((cleanup(free_handles)));                                \
        keep_handles(&kept, count, requests);                                                      \
        BODY(name, arguments, called, {                                                            \
            put_handles(&kept);                                                                    \
            __VA_ARGS__;                                                                           \
        })                                                                                         \
    }

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
KEPT(Waitall, "requests=H", count, requests, NEXT(Waitall)(count, requests, statuses), )

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
KEPT(Testall, "requests=H flag=n", count, requests,
     NEXT(Testall)(count, requests, flag, statuses), put_number(*flag))

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
KEPT(Waitany, "requests=H index=n", count, requests,
     NEXT(Waitany)(count, requests, index, status), put_number(index_of(*index)))

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
KEPT(Testany, "requests=H index=n flag=n", count, requests,
     NEXT(Testany)(count, requests, index, flag, status), {
         put_number(*flag ? index_of(*index) : -1);
         put_number(*flag);
     })

#define PUT_SOME put_numbers(*ended < 0 ? 0 : *ended, indices)

int MPI_Waitsome(int count, MPI_Request requests[], int *ended, int indices[],
                 MPI_Status statuses[])
KEPT(Waitsome, "requests=H indices=l", count, requests,
     NEXT(Waitsome)(count, requests, ended, indices, statuses), PUT_SOME)

int MPI_Testsome(int count, MPI_Request requests[], int *ended, int indices[],
                 MPI_Status statuses[])
KEPT(Testsome, "requests=H indices=l", count, requests,
     NEXT(Testsome)(count, requests, ended, indices, statuses), PUT_SOME)

int MPI_Barrier(MPI_Comm comm)
BODY(Barrier, "comm=c", NEXT(Barrier)(comm), put_group(comm))

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
BODY(Ibarrier, "comm=c request=h", NEXT(Ibarrier)(comm, request), {
    put_group(comm);
    put_handle(*request);
})

int MPI_Comm_free(MPI_Comm *comm) BODY(Comm_free, "", NEXT(Comm_free)(comm), )

/* Only for names: nothing of what they move is recorded. */
#include "named.h"
