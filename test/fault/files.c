/* files.c — files that fail in the middle: a full disk, errors of the disk, files that others cut
 * short or forbid, files that are none.
 *
 * Usage: files TEST [CLASS]
 *
 * Every rank has the error of a collective call, nobody hangs, and bytes that were not written are
 * as before. */
#include <signal.h>
#include "../mpi/io/io.h"

enum { BLOCK = 1000, BLOCKS = 64, GAP = 24, ROUNDS = 100 };

static size_t turn(void) { return (size_t) (size * BLOCK + GAP); }
static size_t area(void) { return BLOCKS * turn(); } /* bytes of the file that one access spans */

static unsigned char value(int round, size_t at)
{
    return (unsigned char) ((size_t) round * 13 + at % 251);
}

/* Blocks of all ranks in turn, and a gap. */
static void set_view(MPI_File f, MPI_Offset disp)
{
    MPI_Datatype block, type;

    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint) turn(), &type);
    type = committed(type);
    OK(MPI_File_set_view(f, disp + rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI_Type_free(&type);
    MPI_Type_free(&block);
}

static bool is_gap(size_t at) { return at % turn() >= turn() - GAP; }
/* The offset in an area of byte i of this rank's data. */
static size_t place(size_t i) { return i / BLOCK * turn() + (size_t) rank * BLOCK + i % BLOCK; }

/* All ranks have the same class. */
static int same_class(int code)
{
    int mine = error_class(code), low, high;

    MPI_Allreduce(&mine, &low, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &high, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_INT(low, high);
    return mine;
}

/* In one of three forms. */
static int write_area(MPI_File f, int round)
{
    unsigned char *data = mpitest_memory(BLOCKS * BLOCK);
    MPI_Request r;
    MPI_Status s;
    int err;

    for (size_t i = 0; i < BLOCKS * BLOCK; i++)
        data[i] = value(round, place(i));
    if (round % 3 == 0)
        err = MPI_File_write_at_all(f, 0, data, BLOCKS * BLOCK, MPI_BYTE, &s);
    else if (round % 3 == 1) {
        OK(MPI_File_write_at_all_begin(f, 0, data, BLOCKS * BLOCK, MPI_BYTE));
        err = MPI_File_write_at_all_end(f, data, &s);
    } else {
        OK(MPI_File_iwrite_at_all(f, 0, data, BLOCKS * BLOCK, MPI_BYTE, &r));
        err = MPI_Wait(&r, &s);
    }
    free(data);
    return err;
}

static int class_named(const char *name)
{
    return !strcmp(name, "EIO")      ? MPI_ERR_IO
           : !strcmp(name, "ENOSPC") ? MPI_ERR_NO_SPACE
           : !strcmp(name, "EDQUOT") ? MPI_ERR_QUOTA
                                     : -1;
}

/* ---- a full disk ----------------------------------------------------------------------------- */

static void full(const char *unused)
{
    const size_t kept = 100000;
    MPI_File f = io_open(kept);
    unsigned char *got = mpitest_memory(kept);
    int rounds = 0, class = MPI_SUCCESS;
    MPI_Status s;
    char c = 0;

    (void) unused;
    for (; class == MPI_SUCCESS; rounds += 3) {
        set_view(f, (MPI_Offset) (kept + (size_t) (rounds / 3) * area()));
        CHECK(rounds < 3 * 1000);
        class = same_class(write_area(f, rounds)); /* the blocking form: all ranks learn of it */
    }
    CHECK_INT(class, MPI_ERR_NO_SPACE);
    CHECK(rounds > 3);
    EXPECT(MPI_ERR_NO_SPACE, MPI_File_preallocate(f, 1 << 30));
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    CHECK(plain_read(got, kept, 0) == kept);
    for (size_t i = 0; i < kept; i++)
        CHECK_INT(got[i], pattern((long long) i));
    OK(MPI_File_set_size(f, (MPI_Offset) kept));
    OK(MPI_File_write_at_all(f, (MPI_Offset) kept + rank, &c, 1, MPI_BYTE, &s));
    free(got);
    io_close(&f);
}

/* ---- errors of the disk ---------------------------------------------------------------------- */

/* was: the area before this round. Bytes of a write that has failed are old or new. */
static void check_area(unsigned char *was, int round, bool failed)
{
    unsigned char *now = mpitest_memory(3 * area());

    CHECK(plain_read(now, 3 * area(), 0) == 3 * area());
    for (size_t i = 0; i < 3 * area(); i++) {
        size_t at = i - area();
        bool ours = i >= area() && i < 2 * area() && !is_gap(at);
        if (!ours)
            CHECK_INT(now[i], pattern((long long) i));
        else if (!failed)
            CHECK_INT(now[i], value(round, at));
        else
            CHECK(now[i] == was[i] || now[i] == value(round, at));
    }
    memcpy(was, now, 3 * area());
    free(now);
}

static void read_area(MPI_File f, const unsigned char *is, int want)
{
    unsigned char *data = mpitest_memory(BLOCKS * BLOCK);
    MPI_Status s;
    int class = same_class(MPI_File_read_at_all(f, 0, data, BLOCKS * BLOCK, MPI_BYTE, &s));

    CHECK(class == MPI_SUCCESS || class == want);
    for (size_t i = 0; class == MPI_SUCCESS && i < BLOCKS * BLOCK; i++)
        CHECK_INT(data[i], is[area() + place(i)]);
    free(data);
}

static void broken(const char *name)
{
    unsigned char *was = mpitest_memory(3 * area());
    int failures = 0, successes = 0, want = class_named(name);
    char path[400];
    MPI_File f;

    if (rank == 0)
        plain_pattern(3 * area());
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(plain_read(was, 3 * area(), 0) == 3 * area());
    snprintf(path, sizeof path, "chaos:ufs:%s", io_path);
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
    set_view(f, (MPI_Offset) area());
    for (int round = 0; round < ROUNDS; round++) {
        int class = same_class(write_area(f, round * 3));
        CHECK(class == MPI_SUCCESS || class == want);
        *(class ? &failures : &successes) += 1;
        check_area(was, round * 3, class);
        MPI_Barrier(MPI_COMM_WORLD);
        read_area(f, was, want);
        class = same_class(MPI_File_sync(f));
        CHECK(class == MPI_SUCCESS || class == want);
    }
    CHECK(failures > 0 && successes > 0);
    free(was);
    io_close(&f);
}

/* ---- a file that is cut short ---------------------------------------------------------------- */

/* The last rank cuts the file; the others read what is left, and write. */
static void cut_by_another(const char *unused)
{
    const int cutter = size - 1;
    unsigned char *data = mpitest_memory(BLOCKS * BLOCK), *whole = mpitest_memory(area());
    MPI_Comm comm;
    MPI_Status s;
    MPI_File f;

    (void) unused;
    for (size_t i = 0; i < area(); i++)
        whole[i] = 'a';
    if (rank == 0)
        plain_write(whole, area(), 0);
    MPI_Comm_split(MPI_COMM_WORLD, rank == cutter, rank, &comm);
    for (int i = 0; rank == cutter && i < 20 * ROUNDS; i++) {
        CHECK(truncate(io_path, (off_t) ((size_t) i * 7919 % area())) == 0);
        plain_write(whole, area() / 2, 0);
    }
    if (rank != cutter) {
        OK(MPI_File_open(comm, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
        set_view(f, 0);
        for (int round = 0; round < 2 * ROUNDS; round++) {
            OK(MPI_File_read_at_all(f, 0, data, BLOCKS * BLOCK, MPI_BYTE, &s));
            int n = count_of(&s, MPI_BYTE);
            CHECK(n >= 0 && n <= BLOCKS * BLOCK);
            for (int i = 0; i < n; i++)
                CHECK(data[i] == 'a' || data[i] == 0);
            memset(data, 'a', BLOCKS * BLOCK);
            OK(MPI_File_write_at_all(f, 0, data, BLOCKS * BLOCK, MPI_BYTE, &s));
        }
        OK(MPI_File_close(&f));
    }
    MPI_Comm_free(&comm);
    free(data);
    free(whole);
    io_remove();
}

/* ---- permissions ----------------------------------------------------------------------------- */

static void change_mode(const char *path, mode_t mode)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK(chmod(path, mode) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What is open stays open; it cannot be opened again. Of a folder that cannot be written nothing
 * is made or deleted. */
static void revoked(const char *unused)
{
    const int create = MPI_MODE_CREATE | MPI_MODE_RDWR;
    MPI_File f = io_open(3 * area()), second;
    unsigned char *was = mpitest_memory(3 * area());
    char other[400];

    (void) unused;
    snprintf(other, sizeof other, "%s/other", io_folder);
    CHECK(plain_read(was, 3 * area(), 0) == 3 * area());
    set_view(f, (MPI_Offset) area());
    change_mode(io_path, 0);
    OK(write_area(f, 0));
    EXPECT(MPI_ERR_ACCESS,
           MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &second));
    EXPECT(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_SELF, io_path, create, MPI_INFO_NULL, &second));
    change_mode(io_path, 0444);
    check_area(was, 0, false);
    EXPECT(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_WORLD, io_path, create, MPI_INFO_NULL, &second));
    change_mode(io_folder, 0555);
    EXPECT(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_WORLD, other, create, MPI_INFO_NULL, &second));
    EXPECT(MPI_ERR_ACCESS, MPI_File_delete(io_path, MPI_INFO_NULL));
    OK(MPI_File_sync(f));
    change_mode(io_folder, 0755);
    free(was);
    io_close(&f);
}

/* ---- a process is killed --------------------------------------------------------------------- */

static void killed(const char *unused)
{
    MPI_File f = io_open(0);

    (void) unused;
    set_view(f, 0);
    OK(write_area(f, 0));
    OK(MPI_File_sync(f));
    MPI_Barrier(MPI_COMM_WORLD);
    set_view(f, (MPI_Offset) area());
    for (int round = 0;; round++) {
        OK(write_area(f, round));
        if (rank == size - 1 && round == ROUNDS)
            raise(SIGKILL);
    }
}

/* ---- what is no ordinary file ---------------------------------------------------------------- */

static void special(const char *unused)
{
    char *path = mpitest_memory(5000);
    MPI_File f;
    MPI_Status s;
    char c = 0;

    (void) unused;
    OK(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_NO_SPACE, MPI_File_write_at_all(f, 0, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_NO_SPACE, MPI_File_write(f, &c, 1, MPI_BYTE, &s));
    set_view(f, 0);
    EXPECT(MPI_ERR_NO_SPACE, write_area(f, 0));
    OK(MPI_File_close(&f));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK(mkfifo(io_path, 0600) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(MPI_ERR_BAD_FILE, /* nobody reads it */
           MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write_at_all(f, 0, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_read(f, &c, 1, MPI_BYTE, &s));
    io_close(&f);
    if (access("/proc/self/exe", W_OK) == 0)
        EXPECT(MPI_ERR_FILE_IN_USE,
               MPI_File_open(MPI_COMM_WORLD, "/proc/self/exe", MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_BAD_FILE,
           MPI_File_open(MPI_COMM_WORLD, io_folder, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
    for (int len = 255; len <= 4097; len++)
        if (len < 258 || len > 4090) { /* "/tmp/./././file" of len bytes, or one long name */
            memset(path, 'n', 5000);
            memcpy(path, "/tmp/", 5);
            for (int i = 5; len > 258 && i + 1 < len - 10; i += 2)
                memcpy(path + i, "./", 2);
            path[len > 258 ? len : 5 + len] = 0;
            EXPECT(len == 255 || (len > 258 && len < 4096) ? MPI_ERR_NO_SUCH_FILE
                                                           : MPI_ERR_BAD_FILE,
                   MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
        }
    free(path);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(const char *word);
    } tests[] = { { "full", full },       { "broken", broken }, { "cut", cut_by_another },
                  { "revoked", revoked }, { "killed", killed }, { "special", special } };

    io_init(&argc, &argv);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(argv[1], tests[i].name))
            tests[i].test(argc > 2 ? argv[2] : "");
    io_end();
    return 0;
}
