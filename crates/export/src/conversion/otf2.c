/* Writes an OTF2 archive of what comes on standard input, by OTF2's own library.
 *
 * Lines, each of words with blanks between them; names are the last on their lines:
 *   c RESOLUTION TICKS    ticks in a second, and in the whole trace
 *   s NUMBER TEXT         a text
 *   r NUMBER TEXT ROLE PARADIGM    a region, with the numbers of its name, role and paradigm
 *   g PID TEXT            a process
 *   l NUMBER PID TID EVENTS TEXT   a thread
 *   o NUMBER              what follows happens to that thread
 *   e TIME REGION, x TIME REGION   it enters, leaves
 *   m TIME PARTNER TAG BYTES, n TIME PARTNER TAG BYTES   sends to, receives from a process
 *   b TIME                a collective begins
 *   f TIME OPERATION COMMUNICATOR ROOT SENT RECEIVED   and ends
 *   k NUMBER TEXT COUNT RANK…   a communicator, with the ranks of its processes among all
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

/* The communicator with a number, its group being the one behind that of all with that number. */
static void add_communicator(OTF2_GlobalDefWriter *defs, const char *line)
{
    char *rest;
    uint64_t number = strtoull(line, &rest, 10), text = strtoull(rest, &rest, 10);
    uint64_t count = strtoull(rest, &rest, 10);
    uint64_t *ranks = malloc(sizeof *ranks * (count + 1));
    if (!ranks) exit(1);
    for (uint64_t place = 0; place < count; place++) ranks[place] = strtoull(rest, &rest, 10);
    check(OTF2_GlobalDefWriter_WriteGroup(defs, number + 1, text, OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, ranks));
    check(OTF2_GlobalDefWriter_WriteComm(defs, number, text, number + 1, 0, OTF2_COMM_FLAG_NONE));
    free(ranks);
}

/* The communicator of all processes, and the locations that all of them refer to. */
static void add_world(OTF2_GlobalDefWriter *defs)
{
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 0, 2, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, processes, firsts));
    for (uint64_t rank = 0; rank < processes; rank++) firsts[rank] = rank;
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 1, 2, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, processes, firsts));
    check(OTF2_GlobalDefWriter_WriteComm(defs, 0, 2, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

/* The library gives each archive a number by the clock, which its anchor file keeps: it becomes a
 * number of the content, so that one trace is one sequence of bytes. */
static void number(const char *folder, uint64_t by_content)
{
    char path[4096], bytes[1 << 16];
    uint64_t by_clock;
    if (snprintf(path, sizeof path, "%s/traces.otf2", folder) >= (int)sizeof path) exit(1);
    OTF2_Reader *reader = OTF2_Reader_Open(path);
    if (!reader) exit(1);
    check(OTF2_Reader_GetTraceId(reader, &by_clock));
    check(OTF2_Reader_Close(reader));
    FILE *anchor = fopen(path, "r+b");
    if (!anchor) exit(1);
    size_t length = fread(bytes, 1, sizeof bytes, anchor);
    for (size_t at = 0; at + sizeof by_clock <= length; at++) {
        if (memcmp(bytes + at, &by_clock, sizeof by_clock)) continue;
        if (fseek(anchor, (long)at, SEEK_SET) || fwrite(&by_content, sizeof by_content, 1, anchor) != 1)
            exit(1);
        break;
    }
    if (fclose(anchor)) exit(1);
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
    uint64_t a, b, c, d, e, f;
    int at;
    bool has_world = false;
    uint64_t by_content = 0xcbf29ce484222325; /* FNV-1a */
    while ((length = getline(&line, &size, stdin)) > 0) {
        for (ssize_t each = 0; each < length; each++)
            by_content = (by_content ^ (unsigned char)line[each]) * 0x100000001b3;
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
            sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b, &c, &d);
            check(OTF2_GlobalDefWriter_WriteRegion(defs, a, b, b, 0, c, d, OTF2_REGION_FLAG_NONE,
                                                   0, 0, 0));
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
            sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b, &c, &d);
            check(line[0] == 'm' ? OTF2_EvtWriter_MpiSend(events, NULL, a, b, 0, c, d)
                                 : OTF2_EvtWriter_MpiRecv(events, NULL, a, b, 0, c, d));
            break;
        case 'b':
            check(OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, strtoull(rest, NULL, 10)));
            break;
        case 'f':
            sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &a,
                   &b, &c, &d, &e, &f);
            check(OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, a, b, c, d, e, f));
            break;
        case 'k':
            if (!has_world) add_world(defs);
            has_world = true;
            add_communicator(defs, rest);
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
    if (!has_world) add_world(defs);
    check(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
    check(OTF2_Archive_Close(archive));
    number(argv[1], by_content);
    return 0;
}
