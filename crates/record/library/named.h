/* Functions whose name, times and place are recorded, and no arguments. */

/* Communicators, probes, and packing. */
NAMED(Buffer_detach, (void *a, int *b), (a, b))
NAMED(Cart_create, (MPI_Comm a, int b, const int c[], const int d[], int e, MPI_Comm *f),
      (a, b, c, d, e, f))
NAMED(Cart_sub, (MPI_Comm a, const int b[], MPI_Comm *c), (a, b, c))
NAMED(Comm_accept, (const char *a, MPI_Info b, int c, MPI_Comm d, MPI_Comm *e), (a, b, c, d, e))
NAMED(Comm_connect, (const char *a, MPI_Info b, int c, MPI_Comm d, MPI_Comm *e), (a, b, c, d, e))
NAMED(Comm_create_group, (MPI_Comm a, MPI_Group b, int c, MPI_Comm *d), (a, b, c, d))
NAMED(Comm_create, (MPI_Comm a, MPI_Group b, MPI_Comm *c), (a, b, c))
NAMED(Comm_disconnect, (MPI_Comm *a), (a))
NAMED(Comm_dup, (MPI_Comm a, MPI_Comm *b), (a, b))
NAMED(Comm_idup, (MPI_Comm a, MPI_Comm *b, MPI_Request *c), (a, b, c))
NAMED(Comm_dup_with_info, (MPI_Comm a, MPI_Info b, MPI_Comm *c), (a, b, c))
NAMED(Dist_graph_create, (MPI_Comm a, int b, const int c[], const int d[], const int e[],
      const int f[], MPI_Info g, int h, MPI_Comm *i), (a, b, c, d, e, f, g, h, i))
NAMED(Dist_graph_create_adjacent, (MPI_Comm a, int b, const int c[], const int d[], int e,
      const int f[], const int g[], MPI_Info h, int i, MPI_Comm *j),
      (a, b, c, d, e, f, g, h, i, j))
NAMED(Comm_spawn, (const char *a, char *b[], int c, MPI_Info d, int e, MPI_Comm f, MPI_Comm *g,
      int h[]), (a, b, c, d, e, f, g, h))
NAMED(Comm_spawn_multiple, (int a, char *b[], char **c[], const int d[], const MPI_Info e[],
      int f, MPI_Comm g, MPI_Comm *h, int i[]), (a, b, c, d, e, f, g, h, i))
NAMED(Comm_split, (MPI_Comm a, int b, int c, MPI_Comm *d), (a, b, c, d))
NAMED(Comm_split_type, (MPI_Comm a, int b, int c, MPI_Info d, MPI_Comm *e), (a, b, c, d, e))
NAMED(Graph_create, (MPI_Comm a, int b, const int c[], const int d[], int e, MPI_Comm *f),
      (a, b, c, d, e, f))
NAMED(Improbe, (int a, int b, MPI_Comm c, int *d, MPI_Message *e, MPI_Status *f),
      (a, b, c, d, e, f))
NAMED(Imrecv, (void *a, int b, MPI_Datatype c, MPI_Message *d, MPI_Request *e), (a, b, c, d, e))
NAMED(Intercomm_create, (MPI_Comm a, int b, MPI_Comm c, int d, int e, MPI_Comm *f),
      (a, b, c, d, e, f))
NAMED(Intercomm_merge, (MPI_Comm a, int b, MPI_Comm *c), (a, b, c))
NAMED(Iprobe, (int a, int b, MPI_Comm c, int *d, MPI_Status *e), (a, b, c, d, e))
NAMED(Mprobe, (int a, int b, MPI_Comm c, MPI_Message *d, MPI_Status *e), (a, b, c, d, e))
NAMED(Mrecv, (void *a, int b, MPI_Datatype c, MPI_Message *d, MPI_Status *e), (a, b, c, d, e))
NAMED(Pack, (const void *a, int b, MPI_Datatype c, void *d, int e, int *f, MPI_Comm g),
      (a, b, c, d, e, f, g))
NAMED(Probe, (int a, int b, MPI_Comm c, MPI_Status *d), (a, b, c, d))
NAMED(Unpack, (const void *a, int b, int *c, void *d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g))

/* Collectives with a data type for each process. */
NAMED(Alltoallw, (const void *a, const int b[], const int c[], const MPI_Datatype d[], void *e,
      const int f[], const int g[], const MPI_Datatype h[], MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
NAMED(Ialltoallw, (const void *a, const int b[], const int c[], const MPI_Datatype d[], void *e,
      const int f[], const int g[], const MPI_Datatype h[], MPI_Comm i, MPI_Request *j),
      (a, b, c, d, e, f, g, h, i, j))

/* One-sided messages. */
NAMED(Accumulate, (const void *a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g,
      MPI_Op h, MPI_Win i), (a, b, c, d, e, f, g, h, i))
NAMED(Compare_and_swap, (const void *a, const void *b, void *c, MPI_Datatype d, int e, MPI_Aint f,
      MPI_Win g), (a, b, c, d, e, f, g))
NAMED(Fetch_and_op, (const void *a, void *b, MPI_Datatype c, int d, MPI_Aint e, MPI_Op f,
      MPI_Win g), (a, b, c, d, e, f, g))
NAMED(Get, (void *a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g, MPI_Win h),
      (a, b, c, d, e, f, g, h))
NAMED(Get_accumulate, (const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f,
      int g, MPI_Aint h, int i, MPI_Datatype j, MPI_Op k, MPI_Win l),
      (a, b, c, d, e, f, g, h, i, j, k, l))
NAMED(Put, (const void *a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g,
      MPI_Win h), (a, b, c, d, e, f, g, h))
NAMED(Raccumulate, (const void *a, int b, MPI_Datatype c, int d, MPI_Aint e, int f,
      MPI_Datatype g, MPI_Op h, MPI_Win i, MPI_Request *j), (a, b, c, d, e, f, g, h, i, j))
NAMED(Rget, (void *a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g, MPI_Win h,
      MPI_Request *i), (a, b, c, d, e, f, g, h, i))
NAMED(Rget_accumulate, (const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f,
      int g, MPI_Aint h, int i, MPI_Datatype j, MPI_Op k, MPI_Win l, MPI_Request *m),
      (a, b, c, d, e, f, g, h, i, j, k, l, m))
NAMED(Rput, (const void *a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g,
      MPI_Win h, MPI_Request *i), (a, b, c, d, e, f, g, h, i))
NAMED(Win_allocate, (MPI_Aint a, int b, MPI_Info c, MPI_Comm d, void *e, MPI_Win *f),
      (a, b, c, d, e, f))
NAMED(Win_allocate_shared, (MPI_Aint a, int b, MPI_Info c, MPI_Comm d, void *e, MPI_Win *f),
      (a, b, c, d, e, f))
NAMED(Win_complete, (MPI_Win a), (a))
NAMED(Win_create, (void *a, MPI_Aint b, int c, MPI_Info d, MPI_Comm e, MPI_Win *f),
      (a, b, c, d, e, f))
NAMED(Win_create_dynamic, (MPI_Info a, MPI_Comm b, MPI_Win *c), (a, b, c))
NAMED(Win_fence, (int a, MPI_Win b), (a, b))
NAMED(Win_flush, (int a, MPI_Win b), (a, b))
NAMED(Win_flush_all, (MPI_Win a), (a))
NAMED(Win_flush_local, (int a, MPI_Win b), (a, b))
NAMED(Win_flush_local_all, (MPI_Win a), (a))
NAMED(Win_free, (MPI_Win *a), (a))
NAMED(Win_lock, (int a, int b, int c, MPI_Win d), (a, b, c, d))
NAMED(Win_lock_all, (int a, MPI_Win b), (a, b))
NAMED(Win_post, (MPI_Group a, int b, MPI_Win c), (a, b, c))
NAMED(Win_start, (MPI_Group a, int b, MPI_Win c), (a, b, c))
NAMED(Win_sync, (MPI_Win a), (a))
NAMED(Win_test, (MPI_Win a, int *b), (a, b))
NAMED(Win_unlock, (int a, MPI_Win b), (a, b))
NAMED(Win_unlock_all, (MPI_Win a), (a))
NAMED(Win_wait, (MPI_Win a), (a))

/* Files. */
NAMED(File_open, (MPI_Comm a, const char *b, int c, MPI_Info d, MPI_File *e), (a, b, c, d, e))
NAMED(File_close, (MPI_File *a), (a))
NAMED(File_delete, (const char *a, MPI_Info b), (a, b))
NAMED(File_set_size, (MPI_File a, MPI_Offset b), (a, b))
NAMED(File_preallocate, (MPI_File a, MPI_Offset b), (a, b))
NAMED(File_set_view, (MPI_File a, MPI_Offset b, MPI_Datatype c, MPI_Datatype d, const char *e,
      MPI_Info f), (a, b, c, d, e, f))
NAMED(File_read_at, (MPI_File a, MPI_Offset b, void *c, int d, MPI_Datatype e, MPI_Status *f),
      (a, b, c, d, e, f))
NAMED(File_read_at_all, (MPI_File a, MPI_Offset b, void *c, int d, MPI_Datatype e, MPI_Status *f),
      (a, b, c, d, e, f))
NAMED(File_write_at, (MPI_File a, MPI_Offset b, const void *c, int d, MPI_Datatype e,
      MPI_Status *f), (a, b, c, d, e, f))
NAMED(File_write_at_all, (MPI_File a, MPI_Offset b, const void *c, int d, MPI_Datatype e,
      MPI_Status *f), (a, b, c, d, e, f))
NAMED(File_iread_at, (MPI_File a, MPI_Offset b, void *c, int d, MPI_Datatype e, MPI_Request *f),
      (a, b, c, d, e, f))
NAMED(File_iwrite_at, (MPI_File a, MPI_Offset b, const void *c, int d, MPI_Datatype e,
      MPI_Request *f), (a, b, c, d, e, f))
NAMED(File_iread_at_all, (MPI_File a, MPI_Offset b, void *c, int d, MPI_Datatype e,
      MPI_Request *f), (a, b, c, d, e, f))
NAMED(File_iwrite_at_all, (MPI_File a, MPI_Offset b, const void *c, int d, MPI_Datatype e,
      MPI_Request *f), (a, b, c, d, e, f))
NAMED(File_read, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Status *e), (a, b, c, d, e))
NAMED(File_read_all, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Status *e), (a, b, c, d, e))
NAMED(File_write, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Status *e),
      (a, b, c, d, e))
NAMED(File_write_all, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Status *e),
      (a, b, c, d, e))
NAMED(File_iread, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Request *e), (a, b, c, d, e))
NAMED(File_iwrite, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Request *e),
      (a, b, c, d, e))
NAMED(File_iread_all, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Request *e),
      (a, b, c, d, e))
NAMED(File_iwrite_all, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Request *e),
      (a, b, c, d, e))
NAMED(File_seek, (MPI_File a, MPI_Offset b, int c), (a, b, c))
NAMED(File_read_shared, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Status *e),
      (a, b, c, d, e))
NAMED(File_write_shared, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Status *e),
      (a, b, c, d, e))
NAMED(File_iread_shared, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Request *e),
      (a, b, c, d, e))
NAMED(File_iwrite_shared, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Request *e),
      (a, b, c, d, e))
NAMED(File_read_ordered, (MPI_File a, void *b, int c, MPI_Datatype d, MPI_Status *e),
      (a, b, c, d, e))
NAMED(File_write_ordered, (MPI_File a, const void *b, int c, MPI_Datatype d, MPI_Status *e),
      (a, b, c, d, e))
NAMED(File_seek_shared, (MPI_File a, MPI_Offset b, int c), (a, b, c))
NAMED(File_read_at_all_begin, (MPI_File a, MPI_Offset b, void *c, int d, MPI_Datatype e),
      (a, b, c, d, e))
NAMED(File_read_at_all_end, (MPI_File a, void *b, MPI_Status *c), (a, b, c))
NAMED(File_write_at_all_begin, (MPI_File a, MPI_Offset b, const void *c, int d, MPI_Datatype e),
      (a, b, c, d, e))
NAMED(File_write_at_all_end, (MPI_File a, const void *b, MPI_Status *c), (a, b, c))
NAMED(File_read_all_begin, (MPI_File a, void *b, int c, MPI_Datatype d), (a, b, c, d))
NAMED(File_read_all_end, (MPI_File a, void *b, MPI_Status *c), (a, b, c))
NAMED(File_write_all_begin, (MPI_File a, const void *b, int c, MPI_Datatype d), (a, b, c, d))
NAMED(File_write_all_end, (MPI_File a, const void *b, MPI_Status *c), (a, b, c))
NAMED(File_read_ordered_begin, (MPI_File a, void *b, int c, MPI_Datatype d), (a, b, c, d))
NAMED(File_read_ordered_end, (MPI_File a, void *b, MPI_Status *c), (a, b, c))
NAMED(File_write_ordered_begin, (MPI_File a, const void *b, int c, MPI_Datatype d), (a, b, c, d))
NAMED(File_write_ordered_end, (MPI_File a, const void *b, MPI_Status *c), (a, b, c))
NAMED(File_sync, (MPI_File a), (a))
