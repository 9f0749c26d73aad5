/* large_doors.c — the doors with MPI_Count of ten functions, which the library does not export:
 * counts beyond an int arrive whole where they cost no memory, and errors name them; for two
 * processes.
 *
 * large_counts.c moves gigabytes by some of them. */
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include "mpi/core/core.h"
#include "mpi/core/large.h"
#include "mpitest.h"

static const MPI_Count LARGE = (MPI_Count) 1 << 33; /* 0 as an int */
/* So many numbers of 8 bytes are one when their length is taken modulo 2^64. */
static const MPI_Count WRAPS = ((MPI_Count) 1 << 61) + 1;

static int rank;
static char *sparse; /* LARGE + 4096 bytes, of which few are touched */

/* ---- errors ---------------------------------------------------------------------------------- */

static char called[512]; /* the text of the last call that failed */

static void note_call(MPI_Comm *comm, int *code, ...)
{
    va_list args;

    (void) comm;
    va_start(args, code);
    (void) snprintf(called, sizeof called, "%s", va_arg(args, const char *));
    va_end(args);
}

/* A call fails with this class, and with these words in the texts of the error and of the call. */
static void expect_error(int code, int class, const char *cause, const char *call)
{
    char text[MPI_MAX_ERROR_STRING], what[2048];
    int got, len;

    MPI_Error_class(code, &got);
    MPI_Error_string(code, text, &len);
    (void) snprintf(what, sizeof what, "%s: class %d, not %d: %s", called, got, class, text);
    if (got != class || !strstr(text, cause) || !strstr(called, call))
        mpitest_fail(__FILE__, __LINE__, what);
}

/* ---- point to point -------------------------------------------------------------------------- */

/* A few bytes by the fast path, into a buffer that could take more than an int can count. */
static void sends_and_receives(void)
{
    int64_t out = 7 + rank, in = 0;
    MPI_Status status;
    MPI_Count n;

    for (int i = 0; i < 2; i++)
        if (rank == i)
            CHECK(!mpir_send_c(&out, 8, MPI_BYTE, !rank, 1, MPI_COMM_WORLD));
        else {
            CHECK(!mpir_recv_c(sparse, LARGE, MPI_BYTE, !rank, 1, MPI_COMM_WORLD, &status));
            memcpy(&in, sparse, 8);
            CHECK_INT(in, 7 + !rank);
            CHECK(!mpir_get_count_c(&status, MPI_BYTE, &n));
            CHECK_INT(n, 8);
        }
}

static void wrong_sends(void)
{
    double x = 0;

    expect_error(mpir_send_c(&x, -LARGE, MPI_BYTE, 0, 0, MPI_COMM_SELF), MPI_ERR_COUNT,
                 "-8589934592", "MPI_Send_c(buf=0x");
    CHECK(strstr(called, "count=-8589934592, MPI_BYTE, dest=0, tag=0, MPI_COMM_SELF)"));
    expect_error(mpir_send_c(&x, WRAPS, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD), MPI_ERR_COUNT,
                 "2305843009213693953 elements of 8 bytes",
                 "count=2305843009213693953, MPI_DOUBLE");
    expect_error(mpir_send_c(NULL, LARGE, MPI_BYTE, 0, 0, MPI_COMM_SELF), MPI_ERR_BUFFER,
                 "8589934592 elements", "MPI_Send_c(buf=MPI_BOTTOM, count=8589934592");
    expect_error(mpir_recv_c(NULL, LARGE, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE),
                 MPI_ERR_BUFFER, "8589934592 elements",
                 "MPI_Recv_c(buf=MPI_BOTTOM, count=8589934592");
    expect_error(MPI_Send(&x, -1, MPI_BYTE, 0, 0, MPI_COMM_SELF), MPI_ERR_COUNT, "negative: -1",
                 "count=-1, MPI_BYTE, dest=0, tag=0, MPI_COMM_SELF)");
}

static void counts_what_came(void)
{
    MPI_Status status = { 0 };
    MPI_Count n = 0;
    int few = 0;

    MPI_Status_set_elements_x(&status, MPI_BYTE, LARGE + 4);
    CHECK(!mpir_get_count_c(&status, MPI_BYTE, &n));
    CHECK_INT(n, LARGE + 4);
    CHECK(!MPI_Get_count(&status, MPI_BYTE, &few));
    CHECK_INT(few, MPI_UNDEFINED);
    CHECK(!mpir_get_count_c(&status, MPI_INT, &n));
    CHECK_INT(n, LARGE / 4 + 1);
    CHECK(!mpir_get_count_c(&status, MPI_DOUBLE, &n));
    CHECK_INT(n, MPI_UNDEFINED);
    expect_error(mpir_get_count_c(&status, MPI_INT, NULL), MPI_ERR_ARG, "count", "count=NULL)");
    expect_error(MPI_Get_count(&status, MPI_INT, NULL), MPI_ERR_ARG, "count", "count=NULL)");
}

/* ---- datatypes ------------------------------------------------------------------------------- */

static void makes_vectors(void)
{
    int n, ints, addresses, types, combiner, numbers[3];
    MPI_Count size, lb, extent;
    MPI_Datatype t, of;

    CHECK(!mpir_type_vector_c(3, LARGE, LARGE + 1, MPI_SHORT, &t));
    MPI_Type_size_x(t, &size);
    MPI_Type_get_extent_x(t, &lb, &extent);
    CHECK_INT(size, 3 * LARGE * 2);
    CHECK_INT(extent, (3 * LARGE + 2) * 2);
    expect_error(MPI_Type_get_envelope(t, &n, &n, &n, &n), MPI_ERR_TYPE, "MPI_Count", "");
    MPI_Type_free(&t);
    CHECK(!MPI_Type_vector(3, 2, -4, MPI_SHORT, &t)); /* by the int door: three ints */
    CHECK(!MPI_Type_get_envelope(t, &ints, &addresses, &types, &combiner));
    CHECK(ints == 3 && addresses == 0 && types == 1 && combiner == MPI_COMBINER_VECTOR);
    CHECK(!MPI_Type_get_contents(t, 3, 0, 1, numbers, NULL, &of));
    CHECK(numbers[0] == 3 && numbers[1] == 2 && numbers[2] == -4 && of == MPI_SHORT);
    MPI_Type_free(&t);
    expect_error(mpir_type_vector_c(1, -LARGE, 1, MPI_INT, &t), MPI_ERR_COUNT,
                 "blocklength is negative: -8589934592",
                 "MPI_Type_vector_c(count=1, blocklength=-8589934592, stride=1, MPI_INT");
    CHECK_INT(t, MPI_DATATYPE_NULL);
}

static void packs(void)
{
    const int64_t x = 5;
    const int twice[] = { 1, 2 };
    MPI_Count position = LARGE;
    MPI_Datatype t;

    CHECK(!mpir_pack_c(&x, 8, MPI_BYTE, sparse, LARGE + 4096, &position, MPI_COMM_SELF));
    CHECK_INT(position, LARGE + 8);
    CHECK(!memcmp(sparse + LARGE, &x, 8));
    MPI_Type_vector(2, 1, 1, MPI_INT, &t);
    MPI_Type_commit(&t);
    CHECK(!mpir_pack_c(twice, 1, t, sparse, LARGE + 4096, &position, MPI_COMM_SELF)); /* slowly */
    CHECK_INT(position, LARGE + 16);
    CHECK(!memcmp(sparse + LARGE + 8, twice, 8));
    MPI_Type_free(&t);
    position = LARGE + 4096;
    expect_error(mpir_pack_c(&x, 8, MPI_BYTE, sparse, LARGE + 4100, &position, MPI_COMM_SELF),
                 MPI_ERR_TRUNCATE, "from position 8589938688 on",
                 "outsize=8589938692, position=0x");
    CHECK_INT(position, LARGE + 4096);
    position = 1;
    expect_error(mpir_pack_c(&x, 8, MPI_BYTE, sparse, INT64_MIN, &position, MPI_COMM_SELF),
                 MPI_ERR_ARG, "-9223372036854775808", "outsize=-9223372036854775808");
    expect_error(mpir_pack_c(&x, 8, MPI_BYTE, sparse, LARGE, NULL, MPI_COMM_SELF), MPI_ERR_ARG,
                 "position", "position=NULL");
}

/* ---- collective operations ------------------------------------------------------------------- */

static void exchanges(void)
{
    const int64_t x = 9 + rank;
    const MPI_Count counts[] = { 8 };
    const MPI_Aint sdispls[] = { 0 }, rdispls[] = { LARGE + 64 };
    const MPI_Count negative[] = { -LARGE };
    const MPI_Aint far[] = { PTRDIFF_MAX };

    CHECK(!mpir_alltoallv_c(&x, counts, sdispls, MPI_BYTE, sparse, counts, rdispls, MPI_BYTE,
                            MPI_COMM_SELF));
    CHECK(!memcmp(sparse + LARGE + 64, &x, 8));
    expect_error(mpir_alltoallv_c(&x, negative, sdispls, MPI_BYTE, sparse, counts, rdispls,
                                  MPI_BYTE, MPI_COMM_SELF),
                 MPI_ERR_COUNT, "sendcounts[0] is -8589934592", "MPI_Alltoallv_c(sendbuf=0x");
    expect_error(mpir_alltoallv_c(&x, counts, sdispls, MPI_BYTE, sparse, counts, far, MPI_SHORT,
                                  MPI_COMM_SELF),
                 MPI_ERR_ARG, "rdispls[0] is 9223372036854775807", "MPI_SHORT, MPI_COMM_SELF)");
}

/* The lengths that a user's function was called with. */
static MPI_Count lengths[4];
static int calls;

static void count_large(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) type;
    lengths[calls++ % 4] = *len;
}

static void count_ints(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) type;
    lengths[calls++ % 4] = *len;
}

static void reduces(void)
{
    struct adi3_op *op;
    MPI_Op large, narrow;

    CHECK(!mpir_op_create_c(count_large, 1, &large));
    CHECK(!MPI_Op_create(count_ints, 1, &narrow));
    CHECK(!mpir_op_arg(large, &op));
    adi3_reduce(op, sparse, sparse, (size_t) LARGE + 3, adi3_type_builtin(MPI_BYTE));
    CHECK_INT(calls, 1);
    CHECK_INT(lengths[0], LARGE + 3);
    calls = 0;
    CHECK(!mpir_op_arg(narrow, &op));
    adi3_reduce(op, sparse, sparse, (size_t) INT32_MAX + 3, adi3_type_builtin(MPI_BYTE));
    CHECK_INT(calls, 2);
    CHECK(lengths[0] == INT32_MAX && lengths[1] == 3);
    MPI_Op_free(&large);
    MPI_Op_free(&narrow);
    expect_error(mpir_op_create_c(NULL, 1, &large), MPI_ERR_ARG, "user_fn", "user_fn=NULL");
    CHECK_INT(large, MPI_OP_NULL);
}

/* ---- windows and files ----------------------------------------------------------------------- */

static void puts_to_windows(void)
{
    double memory[2] = { 0 }, x = 3 + rank;
    MPI_Win win;

    expect_error(mpir_win_create_c(memory, 16, LARGE, MPI_INFO_NULL, MPI_COMM_WORLD, &win),
                 MPI_ERR_DISP, "disp_unit is 8589934592", "disp_unit=8589934592, MPI_INFO_NULL");
    CHECK_INT(win, MPI_WIN_NULL);
    CHECK(!mpir_win_create_c(memory, 16, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    CHECK(!mpir_put_c(&x, 1, MPI_DOUBLE, !rank, 1, 1, MPI_DOUBLE, win));
    CHECK(!mpir_put_c(&x, 1, MPI_DOUBLE, !rank, 1, 1, MPI_DOUBLE, win)); /* by the fast path */
    expect_error(mpir_put_c(&x, WRAPS, MPI_DOUBLE, !rank, 0, WRAPS, MPI_DOUBLE, win), MPI_ERR_COUNT,
                 "2305843009213693953 elements", "");
    expect_error(mpir_put_c(&x, 1, MPI_DOUBLE, !rank, 0, WRAPS, MPI_DOUBLE, win), MPI_ERR_COUNT,
                 "2305843009213693953 elements", "");
    expect_error(mpir_put_c(&x, 1, MPI_DOUBLE, !rank, 0, -LARGE, MPI_DOUBLE, win), MPI_ERR_COUNT,
                 "target_count is negative: -8589934592", "");
    expect_error(mpir_put_c(sparse, LARGE, MPI_BYTE, !rank, 0, LARGE, MPI_BYTE, win),
                 MPI_ERR_RMA_RANGE, "8589934592", "");
    MPI_Win_fence(0, win);
    CHECK(memory[0] == 0 && memory[1] == 3 + !rank);
    MPI_Win_free(&win);
}

static void writes_files(void)
{
    const char *tmp = getenv("TMPDIR");
    char path[256], x[8] = "1234567";
    MPI_Datatype empty;
    MPI_Status status;
    MPI_Offset size;
    MPI_File f;

    (void) snprintf(path, sizeof path, "%.200s/large_doors.%d", tmp && *tmp ? tmp : "/tmp",
                    (int) getpid());
    CHECK(!MPI_File_open(MPI_COMM_SELF, path,
                         MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                         &f));
    CHECK(!mpir_file_write_at_c(f, LARGE, x, 8, MPI_BYTE, &status)); /* a file with a hole */
    CHECK(!MPI_File_get_size(f, &size));
    CHECK_INT(size, LARGE + 8);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    CHECK(!mpir_file_write_at_c(f, 0, x, LARGE + 1, empty, &status));
    MPI_Type_free(&empty);
    expect_error(mpir_file_write_at_c(f, 0, x, -LARGE, MPI_BYTE, &status), MPI_ERR_COUNT,
                 "count is -8589934592", "");
    expect_error(mpir_file_write_at_c(f, 0, NULL, LARGE, MPI_BYTE, &status), MPI_ERR_BUFFER,
                 "8589934592 elements", "");
    CHECK(!MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    expect_error(mpir_file_write_at_c(f, 0, x, LARGE + 1, MPI_BYTE, &status), MPI_ERR_IO,
                 "count 8589934593 of this datatype is 8589934593 bytes", "");
    CHECK(!MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    const size_t len = (size_t) LARGE + 4096;
    MPI_Errhandler noting;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(note_call, &noting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, noting);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, noting);
    sparse =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(sparse != MAP_FAILED);
    sends_and_receives();
    wrong_sends();
    counts_what_came();
    makes_vectors();
    packs();
    exchanges();
    reduces();
    puts_to_windows();
    writes_files();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&noting);
    MPI_Finalize();
    CHECK(!munmap(sparse, len));
    return 0;
}
