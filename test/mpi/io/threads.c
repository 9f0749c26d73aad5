/* threads.c — X04, F05, F06, F08, F09: threads that access one file at a time, by offsets and by
 * its pointers, in atomic mode, and collective calls of each on a file of its own.
 *
 * Threads in collective calls of several files wait for ever in MPICH 4.0. */
#include "forms.h"
#include "../threads/threads.h"

enum { THREADS = 4, RECORDS = 40, N = 25 };

static MPI_File file;
static MPI_Comm comm[THREADS];

/* Number of a record of this rank's thread. */
static int number(int r, int thread, int i) { return (r * THREADS + thread) * RECORDS + i; }

static void fill(int *record, int n)
{
    for (int k = 0; k < N; k++)
        record[k] = n * 100 + k;
}

static bool whole(const int *record)
{
    for (int k = 0; k < N; k++)
        if (record[k] != record[0] + k)
            return false;
    return record[0] % 100 == 0;
}

/* ---- one file -------------------------------------------------------------------------------- */

/* A thread writes and reads in its own part, blocking, and several at a time. */
static void *by_offsets(void *arg)
{
    int thread = (int) (intptr_t) arg, out[RECORDS][N], in[RECORDS][N];
    MPI_Request r[RECORDS];
    MPI_Status s;

    for (int i = 0; i < RECORDS; i++) {
        MPI_Offset at = (MPI_Offset) number(rank, thread, i) * N;
        fill(out[i], number(rank, thread, i));
        if (i % 2)
            OK(MPI_File_iwrite_at(file, at, out[i], N, MPI_INT, &r[i / 2]));
        else
            OK(MPI_File_write_at(file, at, out[i], N, MPI_INT, &s));
    }
    OK(MPI_Waitall(RECORDS / 2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < RECORDS; i++) {
        MPI_Offset at = (MPI_Offset) number(rank, thread, i) * N;
        if (i % 2)
            OK(MPI_File_read_at(file, at, in[i], N, MPI_INT, &s));
        else
            OK(MPI_File_iread_at(file, at, in[i], N, MPI_INT, &r[i / 2]));
    }
    for (int i = 0; i < RECORDS / 2; i++) {
        OK(MPI_Wait(&r[i], &s));
        CHECK_INT(count_of(&s, MPI_INT), N);
    }
    CHECK(memcmp(in, out, sizeof in) == 0);
    return NULL;
}

/* Threads share the individual pointer of their rank: each call has a place of its own. */
static void *by_pointer(void *arg)
{
    int thread = (int) (intptr_t) arg, out[N];
    MPI_Request r;

    for (int i = 0; i < RECORDS; i++) {
        fill(out, number(rank, thread, i));
        if (i % 2) {
            OK(MPI_File_iwrite(file, out, N, MPI_INT, &r));
            OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        } else
            OK(MPI_File_write(file, out, N, MPI_INT, MPI_STATUS_IGNORE));
    }
    return NULL;
}

static void *by_shared_pointer(void *arg)
{
    int thread = (int) (intptr_t) arg, out[N];
    MPI_Request r;

    for (int i = 0; i < RECORDS; i++) {
        fill(out, number(rank, thread, i));
        if (i % 2) {
            OK(MPI_File_iwrite_shared(file, out, N, MPI_INT, &r));
            OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        } else
            OK(MPI_File_write_shared(file, out, N, MPI_INT, MPI_STATUS_IGNORE));
    }
    return NULL;
}

/* Each record is in the file once and whole, those of a thread in their order; in_place: at the
 * place of its number. */
static void one_file(void *(*run)(void *), bool in_place)
{
    const int all = size * THREADS * RECORDS;
    int *last = mpitest_memory((size_t) (size * THREADS) * sizeof *last), record[N];

    file = io_open(0);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(file, (MPI_Offset) number(rank, 0, 0) * N, MPI_SEEK_SET));
    threads_run(THREADS, run);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), (long long) all * N * 4);
    for (int t = 0; t < size * THREADS; t++)
        last[t] = -1;
    for (int i = 0; i < all; i++) {
        plain_read(record, sizeof record, (off_t) i * (off_t) sizeof record);
        CHECK(whole(record));
        int n = record[0] / 100;
        CHECK(n >= 0 && n < all && (!in_place || n == i));
        CHECK_INT(n % RECORDS, last[n / RECORDS] + 1);
        last[n / RECORDS]++;
    }
    free(last);
    io_close(&file);
}

/* ---- atomic mode ----------------------------------------------------------------------------- */

enum { PIECE = 8192, APART = 12288, PIECES = 24, ALL_PIECES = PIECES * PIECE, TIMES = 100 };

/* Threads of one process exclude each other as processes do: a read finds all pieces of one
 * write. */
static void *atomic_pieces(void *arg)
{
    int thread = (int) (intptr_t) arg;
    unsigned char *out = mpitest_memory(ALL_PIECES), *in = mpitest_memory(ALL_PIECES);

    for (int i = 0; i < TIMES; i++) {
        memset(out, 1 + (thread + THREADS * (rank + i * size)) % 250, ALL_PIECES);
        OK(MPI_File_write_at(file, 0, out, ALL_PIECES, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_File_read_at(file, 0, in, ALL_PIECES, MPI_BYTE, MPI_STATUS_IGNORE));
        if (memcmp(in, in + 1, ALL_PIECES - 1) != 0)
            mpitest_fail(__FILE__, __LINE__, "pieces of several writes");
    }
    free(out);
    free(in);
    return NULL;
}

static void atomic_mode(void)
{
    MPI_Datatype piece, type;

    file = io_open(0);
    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, APART, &type);
    type = committed(type);
    OK(MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
    OK(MPI_File_set_atomicity(file, 1));
    threads_run(THREADS, atomic_pieces);
    MPI_Type_free(&piece);
    MPI_Type_free(&type);
    io_close(&file);
}

/* ---- a file for each thread ------------------------------------------------------------------ */

static void written(MPI_File f, int thread, int (*out)[N])
{
    MPI_Request r;
    MPI_Status s;

    for (int i = 0; i < RECORDS; i++)
        fill(out[i], number(rank, thread, i));
    OK(MPI_File_write_all(f, out[0], N, MPI_INT, &s));
    CHECK_INT(count_of(&s, MPI_INT), N);
    OK(MPI_File_iwrite_all(f, out[1], N, MPI_INT, &r));
    OK(MPI_Wait(&r, &s));
    OK(MPI_File_write_all_begin(f, out[2], 2 * N, MPI_INT));
    OK(MPI_File_write_all_end(f, out[2], &s));
    CHECK_INT(count_of(&s, MPI_INT), 2 * N);
    OK(MPI_File_write_at_all(f, 4 * N, out[4], (RECORDS - 4) * N, MPI_INT, &s));
    for (int i = 0; i < 5; i++) {
        OK(MPI_File_seek_shared(f, i, MPI_SEEK_SET));
        OK(MPI_File_set_size(f, (MPI_Offset) size * RECORDS * N * 4));
        OK(MPI_File_preallocate(f, thread + 1));
        OK(MPI_File_set_atomicity(f, i % 2));
        OK(MPI_File_set_info(f, MPI_INFO_NULL));
    }
    OK(MPI_File_sync(f));
}

/* All collective calls, through a view in which records of ranks take turns. */
static void *own_file(void *arg)
{
    int thread = (int) (intptr_t) arg, out[RECORDS][N], in[RECORDS][N];
    MPI_Datatype turns;
    char path[400];
    MPI_File f;
    MPI_Status s;
    MPI_Offset len = 0;

    snprintf(path, sizeof path, "%s-%d", io_path, thread);
    OK(MPI_File_open(comm[thread], path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &f));
    MPI_Type_create_subarray(2, (int[]) { size, N }, (int[]) { 1, N }, (int[]) { rank, 0 },
                             MPI_ORDER_C, MPI_INT, &turns);
    turns = committed(turns);
    OK(MPI_File_set_view(f, 0, MPI_INT, turns, "native", MPI_INFO_NULL));
    written(f, thread, out);
    memset(in, 0, sizeof in);
    OK(MPI_File_read_at_all(f, 0, in, RECORDS * N, MPI_INT, &s));
    CHECK_INT(count_of(&s, MPI_INT), RECORDS * N);
    CHECK(memcmp(in, out, sizeof in) == 0);
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_get_size(f, &len));
    CHECK_INT(len, (long long) size * RECORDS * N * 4);
    OK(MPI_File_read_ordered(f, in[0], N, MPI_INT, &s));
    CHECK(memcmp(in[0], out[0], sizeof in[0]) == 0);
    MPI_Type_free(&turns);
    OK(MPI_File_close(&f));
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    io_begin();
    one_file(by_offsets, true);
    one_file(by_shared_pointer, false);
    one_file(by_pointer, false);
    atomic_mode();
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[t]);
    for (int round = 0; round < 5; round++)
        threads_run(THREADS, own_file);
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_free(&comm[t]);
    io_end();
    return 0;
}
