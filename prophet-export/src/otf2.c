/* Writes an OTF2 archive of what comes on standard input, by OTF2's own library.
 *
 * Lines, each of words with blanks between them; names are the last on their lines:
 *   c RESOLUTION TICKS    ticks in a second, and in the whole trace
 *   s NUMBER TEXT         a text
 *   r NUMBER TEXT ROLE    a region, with the number of its name and its role
 *   g PID TEXT            a process
 *   l NUMBER PID TID EVENTS TEXT   a thread
 *   o NUMBER              what follows happens to that thread
 *   e TIME REGION, x TIME REGION   it enters, leaves
 *   m TIME PARTNER BYTES, n TIME PARTNER BYTES   sends to, receives from a process
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static uint64_t *firsts;
static uint64_t processes, locations;

/* The first threads of the processes, by rank, form the communicator of all. */
static void add_process(void)
{
    if ((processes & (processes - 1)) == 0)
        firsts = realloc(firsts, sizeof *firsts * (processes ? 2 * processes : 1));
    firsts[processes++] = 0;
}

static OTF2_RegionRole role_of(const char *role)
{
    if (!strcmp(role, "compute")) return OTF2_REGION_ROLE_CODE;
    if (!strcmp(role, "send") || !strcmp(role, "receive")) return OTF2_REGION_ROLE_POINT2POINT;
    if (!strcmp(role, "collective")) return OTF2_REGION_ROLE_COLL_OTHER;
    if (!strcmp(role, "synchronise")) return OTF2_REGION_ROLE_BARRIER;
    return OTF2_REGION_ROLE_UNKNOWN;
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
    OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_EvtWriter *events = NULL;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    uint64_t a, b, c, d;
    int at;
    while ((length = getline(&line, &size, stdin)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        char *rest = line + 2;
        switch (line[0]) {
        case 'c':
            sscanf(rest, "%" SCNu64 " %" SCNu64, &a, &b);
            check(OTF2_GlobalDefWriter_WriteClockProperties(defs, a, 0, b, 0));
            break;
        case 's':
            sscanf(rest, "%" SCNu64 "%n", &a, &at);
            check(OTF2_GlobalDefWriter_WriteString(defs, a, rest + at + 1));
            break;
        case 'r':
            sscanf(rest, "%" SCNu64 " %" SCNu64 "%n", &a, &b, &at);
            check(OTF2_GlobalDefWriter_WriteRegion(defs, a, b, b, 0, role_of(rest + at + 1),
                                                   OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0));
            break;
        case 'g':
            sscanf(rest, "%" SCNu64 " %" SCNu64, &a, &b);
            if (a == 0)
                check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, 1, 1,
                                                               OTF2_UNDEFINED_SYSTEM_TREE_NODE));
            check(OTF2_GlobalDefWriter_WriteLocationGroup(defs, a, b, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                          0, OTF2_UNDEFINED_LOCATION_GROUP));
            add_process();
            break;
        case 'l':
            sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n", &a, &b, &c, &d, &at);
            check(OTF2_GlobalDefWriter_WriteLocation(defs, a, strtoull(rest + at + 1, NULL, 10),
                                                     OTF2_LOCATION_TYPE_CPU_THREAD, d, b));
            locations++;
            if (c == 0 && b < processes) firsts[b] = a;
            break;
        case 'o':
            if (events) check(OTF2_Archive_CloseEvtWriter(archive, events));
            events = OTF2_Archive_GetEvtWriter(archive, strtoull(rest, NULL, 10));
            break;
        case 'e':
        case 'x':
            sscanf(rest, "%" SCNu64 " %" SCNu64, &a, &b);
            check(line[0] == 'e' ? OTF2_EvtWriter_Enter(events, NULL, a, b)
                                 : OTF2_EvtWriter_Leave(events, NULL, a, b));
            break;
        case 'm':
        case 'n':
            sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b, &c);
            check(line[0] == 'm' ? OTF2_EvtWriter_MpiSend(events, NULL, a, b, 0, 0, c)
                                 : OTF2_EvtWriter_MpiRecv(events, NULL, a, b, 0, 0, c));
            break;
        }
    }
    if (events) check(OTF2_Archive_CloseEvtWriter(archive, events));
    check(OTF2_Archive_CloseEvtFiles(archive));
    /* Each thread has a file of definitions, too, in which nothing has to be. */
    check(OTF2_Archive_OpenDefFiles(archive));
    for (uint64_t location = 0; location < locations; location++)
        check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, location)));
    check(OTF2_Archive_CloseDefFiles(archive));
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 0, 2, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, processes, firsts));
    for (uint64_t rank = 0; rank < processes; rank++) firsts[rank] = rank;
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 1, 2, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, processes, firsts));
    check(OTF2_GlobalDefWriter_WriteComm(defs, 0, 2, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
    check(OTF2_Archive_Close(archive));
    return 0;
}
