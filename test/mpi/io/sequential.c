/* sequential.c — F01, F03, F04, F06: files that are open with MPI_MODE_SEQUENTIAL: the shared
 * pointer alone is used, and set by no call; a view begins where it is. */
#include "io.h"

enum { HEAD = 3, N = 6 };

static MPI_File sequential(int mode)
{
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, io_path, mode | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &f));
    return f;
}

static void set_here(MPI_File f, MPI_Datatype type)
{
    OK(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, type, type, "native", MPI_INFO_NULL));
}

static MPI_Offset disp_of(MPI_File f)
{
    MPI_Datatype etype, filetype;
    char datarep[MPI_MAX_DATAREP_STRING];
    MPI_Offset disp = -1;

    OK(MPI_File_get_view(f, &disp, &etype, &filetype, datarep));
    return disp;
}

/* Each rank writes a head of bytes, and the last one long after the others have gone on to set the
 * view: it begins behind all heads, on all ranks. */
static void writes(void)
{
    MPI_File f = sequential(MPI_MODE_WRONLY | MPI_MODE_CREATE);
    unsigned char head[HEAD];
    int x[N], at = -1;
    MPI_Status s;
    MPI_Request r;

    memset(head, 'a' + rank, HEAD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        usleep(30000);
    OK(MPI_File_write_shared(f, head, HEAD, MPI_BYTE, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), HEAD);
    set_here(f, MPI_INT);
    CHECK_INT(disp_of(f), HEAD * size);
    for (int i = 0; i < N; i++)
        x[i] = 100 * rank + i;
    OK(MPI_File_write_ordered(f, x, 1, MPI_INT, &s));
    OK(MPI_File_write_ordered_begin(f, x + 1, 2, MPI_INT));
    OK(MPI_File_write_ordered_end(f, x + 1, &s));
    CHECK_INT(count_of(&s, MPI_INT), 2);
    OK(MPI_File_iwrite_shared(f, x + 3, 1, MPI_INT, &r));
    OK(MPI_Wait(&r, &s));
    CHECK_INT(count_of(&s, MPI_INT), 1);
    set_here(f, MPI_INT); /* from an offset in ints */
    CHECK_INT(disp_of(f), HEAD * size + 16 * size);
    OK(MPI_File_write_ordered(f, x + 4, 2, MPI_INT, &s));
    OK(MPI_File_get_byte_offset(f, 2, &(MPI_Offset) { 0 })); /* which is allowed */
    OK(MPI_File_close(&f));
    CHECK_INT(plain_size(), HEAD * size + 4 * N * size);
    for (int r0 = 0; r0 < size; r0++)
        for (int k = 0; k < 3; k++) {
            int place = k == 0 ? r0 : size + 2 * r0 + k - 1;
            plain_read(&at, 4, HEAD * size + 4 * place);
            CHECK_INT(at, 100 * r0 + k);
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void reads(void)
{
    MPI_File f = sequential(MPI_MODE_RDONLY);
    int seen[8] = { 0 }, all[8], x[N] = { 0 };
    unsigned char head[HEAD];
    MPI_Status s;
    MPI_Request r;

    OK(MPI_File_read_shared(f, head, HEAD, MPI_BYTE, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), HEAD);
    CHECK(head[0] >= 'a' && head[0] < 'a' + size && head[HEAD - 1] == head[0]);
    seen[head[0] - 'a']++;
    MPI_Allreduce(seen, all, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK_INT(all[i], 1);
    set_here(f, MPI_INT);
    OK(MPI_File_read_ordered(f, x, 1, MPI_INT, &s));
    CHECK_INT(x[0], 100 * rank);
    OK(MPI_File_read_ordered_begin(f, x + 1, 2, MPI_INT));
    OK(MPI_File_read_ordered_end(f, x + 1, &s));
    CHECK(x[1] == 100 * rank + 1 && x[2] == 100 * rank + 2);
    OK(MPI_File_iread_shared(f, x, 1, MPI_INT, &r));
    OK(MPI_Wait(&r, &s));
    CHECK_INT(x[0] % 100, 3);
    set_here(f, MPI_INT);
    OK(MPI_File_read_ordered(f, x, 2, MPI_INT, &s));
    CHECK(x[0] == 100 * rank + 4 && x[1] == 100 * rank + 5);
    OK(MPI_File_read_ordered(f, x, 2, MPI_INT, &s));
    CHECK_INT(count_of(&s, MPI_INT), 0);
    OK(MPI_File_close(&f));
}

/* A rank alone closes the gap between its calls: pieces of one byte are there in its order. */
static void alone(void)
{
    MPI_File f;
    char path[400], got[N] = "";

    snprintf(path, sizeof path, "%s-%d", io_path, rank);
    OK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL,
                     MPI_INFO_NULL, &f));
    for (int i = 0; i < N; i++) {
        OK(MPI_File_write_shared(f, &"abcdef"[i], 1, MPI_CHAR, MPI_STATUS_IGNORE));
        set_here(f, MPI_CHAR);
        CHECK_INT(disp_of(f), i + 1);
    }
    OK(MPI_File_close(&f));
    OK(MPI_File_open(MPI_COMM_SELF, path,
                     MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &f));
    OK(MPI_File_read_shared(f, got, N, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK(memcmp(got, "abcdef", N) == 0);
    OK(MPI_File_close(&f));
}

/* ---- what is refused ------------------------------------------------------------------------- */

#define REFUSED(call) EXPECT(MPI_ERR_UNSUPPORTED_OPERATION, call)

static void reading_refused(MPI_File f)
{
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status s;
    char c = 'x';

    REFUSED(MPI_File_read(f, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_read_all(f, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_read_at(f, 0, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_read_at_all(f, 0, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_iread(f, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_iread_at(f, 0, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_iread_all(f, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_iread_at_all(f, 0, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_read_all_begin(f, &c, 1, MPI_CHAR));
    REFUSED(MPI_File_read_at_all_begin(f, 0, &c, 1, MPI_CHAR));
    CHECK(c == 'x' && r == MPI_REQUEST_NULL);
}

static void writing_refused(MPI_File f)
{
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status s;
    const char c = 'x';

    REFUSED(MPI_File_write(f, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_write_all(f, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_write_at(f, 0, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_write_at_all(f, 0, &c, 1, MPI_CHAR, &s));
    REFUSED(MPI_File_iwrite(f, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_iwrite_at(f, 0, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_iwrite_all(f, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_iwrite_at_all(f, 0, &c, 1, MPI_CHAR, &r));
    REFUSED(MPI_File_write_all_begin(f, &c, 1, MPI_CHAR));
    REFUSED(MPI_File_write_at_all_begin(f, 0, &c, 1, MPI_CHAR));
    REFUSED(MPI_File_set_size(f, 1));
    REFUSED(MPI_File_preallocate(f, 100));
    CHECK(r == MPI_REQUEST_NULL);
}

static void refused(bool writing)
{
    MPI_File f = sequential(writing ? MPI_MODE_WRONLY : MPI_MODE_RDONLY);
    MPI_Offset at = -1;

    (writing ? writing_refused : reading_refused)(f);
    REFUSED(MPI_File_seek(f, 0, MPI_SEEK_SET));
    REFUSED(MPI_File_get_position(f, &at));
    REFUSED(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    REFUSED(MPI_File_get_position_shared(f, &at));
    CHECK_INT(at, -1);
    /* The displacement is that of the pointer, and no other, not even when it is the same. */
    EXPECT(MPI_ERR_ARG, MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_close(&f));
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, writing ? MPI_MODE_WRONLY : MPI_MODE_RDONLY,
                     MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_ARG, MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native",
                                          MPI_INFO_NULL));
    OK(MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 8);
    writes();
    reads();
    alone();
    if (starling())
        for (int writing = 0; writing < 2; writing++)
            refused(writing);
    CHECK_INT(plain_size(), HEAD * size + 4 * N * size);
    io_remove();
    io_end();
    return 0;
}
