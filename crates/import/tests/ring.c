/* Writes an OTF2 archive of eight ranks on a ring, as a measurement of a program with MPI looks:
 * receives without blocking tell their messages when they end, collectives all bytes of a rank. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 8, TURNS = 10, CALLS = 8 };

static const char *names[] = { "",          "run",         "MPI_COMM_WORLD", "main",
                               "MPI_Init",  "MPI_Isend",   "MPI_Irecv",      "MPI_Waitall",
                               "MPI_Allreduce", "MPI_Sendrecv", "MPI_Finalize", "MPI" };
enum { MAIN, INIT, ISEND, IRECV, WAITALL, ALLREDUCE, SENDRECV, FINALIZE };

static OTF2_EvtWriter *events;
static uint64_t now, counts[RANKS];

static void check(OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS) {
        fprintf(stderr, "%s\n", OTF2_Error_GetDescription(code));
        exit(1);
    }
}

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

static void enter(uint32_t region) { check(OTF2_EvtWriter_Enter(events, NULL, now, region)); }

/* A call takes 5 us. */
static void leave(uint32_t region)
{
    now += 5000;
    check(OTF2_EvtWriter_Leave(events, NULL, now, region));
}

static void turn(uint64_t rank, uint64_t number)
{
    uint32_t next = (rank + 1) % RANKS, before = (rank + RANKS - 1) % RANKS;
    now += 1000000;
    enter(IRECV);
    check(OTF2_EvtWriter_MpiIrecvRequest(events, NULL, now, 2 * number));
    leave(IRECV);
    enter(ISEND);
    check(OTF2_EvtWriter_MpiIsend(events, NULL, now, next, 0, 7, 1000, 2 * number + 1));
    leave(ISEND);
    enter(WAITALL);
    check(OTF2_EvtWriter_MpiIrecv(events, NULL, now, before, 0, 7, 1000, 2 * number));
    check(OTF2_EvtWriter_MpiIsendComplete(events, NULL, now, 2 * number + 1));
    leave(WAITALL);
    now += 500000;
    enter(ALLREDUCE);
    check(OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, now));
    check(OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, now, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                          OTF2_UNDEFINED_UINT32, 8 * RANKS, 8 * RANKS));
    leave(ALLREDUCE);
}

static void rank_events(uint64_t rank)
{
    now = 1000;
    enter(MAIN);
    enter(INIT);
    leave(INIT);
    for (uint64_t number = 0; number < TURNS; number++) turn(rank, number);
    enter(SENDRECV);
    check(OTF2_EvtWriter_MpiSend(events, NULL, now, (rank + 1) % RANKS, 0, 3, 50));
    check(OTF2_EvtWriter_MpiRecv(events, NULL, now, (rank + RANKS - 1) % RANKS, 0, 3, 50));
    leave(SENDRECV);
    enter(FINALIZE);
    leave(FINALIZE);
    leave(MAIN);
}

static void definitions(OTF2_GlobalDefWriter *defs)
{
    uint64_t ranks[RANKS];
    check(OTF2_GlobalDefWriter_WriteClockProperties(defs, 1000000000, 0, now, 0));
    for (uint32_t text = 0; text < sizeof names / sizeof *names; text++)
        check(OTF2_GlobalDefWriter_WriteString(defs, text, names[text]));
    /* Score-P names paradigms, which otf2-print then shows by their names. */
    check(OTF2_GlobalDefWriter_WriteParadigm(defs, OTF2_PARADIGM_MPI, 11,
                                             OTF2_PARADIGM_CLASS_PROCESS));
    for (uint32_t region = 0; region < CALLS; region++) {
        OTF2_Paradigm paradigm = region == MAIN ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI;
        check(OTF2_GlobalDefWriter_WriteRegion(defs, region, region + 3, region + 3, 0,
                                               OTF2_REGION_ROLE_FUNCTION, paradigm,
                                               OTF2_REGION_FLAG_NONE, 0, 0, 0));
    }
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint64_t rank = 0; rank < RANKS; rank++) {
        ranks[rank] = rank;
        check(OTF2_GlobalDefWriter_WriteLocationGroup(defs, rank, 1,
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(defs, rank, 1, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 counts[rank], rank));
    }
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 0, 2, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, ranks));
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 1, 2, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, RANKS, ranks));
    check(OTF2_GlobalDefWriter_WriteComm(defs, 0, 2, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    OTF2_FlushCallbacks callbacks = { .otf2_pre_flush = flush_always };
    OTF2_Archive *archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20,
                                              1 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive) return 1;
    check(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_OpenEvtFiles(archive));
    for (uint64_t rank = 0; rank < RANKS; rank++) {
        events = OTF2_Archive_GetEvtWriter(archive, rank);
        rank_events(rank);
        check(OTF2_EvtWriter_GetNumberOfEvents(events, &counts[rank]));
        check(OTF2_Archive_CloseEvtWriter(archive, events));
    }
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    for (uint64_t rank = 0; rank < RANKS; rank++)
        check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank)));
    check(OTF2_Archive_CloseDefFiles(archive));
    OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(archive);
    definitions(defs);
    check(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
    check(OTF2_Archive_Close(archive));
    return 0;
}
