/* hints_effects.c — F13: what hints do: permissions of new files, sieving, memory of conversions,
 * the cache of the system.
 *
 * known: MPICH 4.0 does not do these. */
#include <sys/mman.h>
#include <sys/vfs.h>
#include "hints.h"

static void permissions(const char *perm, mode_t mask, mode_t want)
{
    mode_t old = umask(mask);
    MPI_Info info = info_of("file_perm", perm);
    MPI_File f = opened(info);
    struct stat s;

    CHECK(stat(io_path, &s) == 0);
    CHECK_INT(s.st_mode & 0777, want);
    MPI_Info_free(&info);
    umask(old);
    io_close(&f);
}

/* What this process has done to files by now, as the system counts it: "rchar" are bytes that were
 * read, "syscw" calls that write; -1: the system does not tell. */
static long long done(const char *what)
{
    FILE *f = fopen("/proc/self/io", "r");
    long long n, got = -1;
    char name[32];

    while (f && fscanf(f, "%31[^:]: %lld ", name, &n) == 2)
        if (!strcmp(name, what))
            got = n;
    if (f)
        fclose(f);
    return got;
}

enum { PIECE = 64, PIECES = 1000, EVERY = 256 };

/* Reads pieces with holes, with such hints. Returns the bytes that were read for it. */
static long long pieces(MPI_File f, const char *key, const char *value)
{
    MPI_Datatype piece, type;
    static unsigned char got[PIECE * PIECES];
    MPI_Status s;

    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, EVERY, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
    set(f, key, value);
    long long before = done("rchar");
    OK(MPI_File_read_at(f, 0, got, sizeof got, MPI_BYTE, &s));
    long long after = done("rchar");
    CHECK_INT(count_of(&s, MPI_BYTE), PIECE * PIECES);
    for (int i = 0; i < PIECE * PIECES; i++)
        CHECK_INT(got[i], pattern((long long) (i / PIECE) * EVERY + i % PIECE));
    MPI_Type_free(&type);
    MPI_Type_free(&piece);
    return before < 0 ? -1 : after - before;
}

/* With sieving holes are read, too; without it, or with a buffer that has no hole, they are not. */
static void sieving(void)
{
    MPI_File f = io_open(EVERY * PIECES);
    long long n = pieces(f, "romio_ds_read", "enable");

    if (n >= 0) {
        CHECK(n > EVERY * PIECES * 9 / 10); /* not between two buffers */
        CHECK(pieces(f, "ind_rd_buffer_size", "300") < PIECE * PIECES * 2);
        CHECK(pieces(f, "ind_rd_buffer_size", "524288") > EVERY * PIECES * 9 / 10);
        CHECK(pieces(f, "romio_ds_read", "disable") < PIECE * PIECES * 2);
    }
    io_close(&f);
}

/* Representations are converted in pieces of the size that is given. */
static void conversion(void)
{
    enum { N = 20000 };
    static int out[N], in[N];
    MPI_File f = opened(MPI_INFO_NULL);
    MPI_Status s;

    for (int i = 0; i < N; i++)
        out[i] = i * 98765;
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    set(f, "ind_wr_buffer_size", "801");
    set(f, "ind_rd_buffer_size", "3");
    long long before = done("syscw");
    OK(MPI_File_write_at(f, (MPI_Offset) rank * N, out, N, MPI_INT, &s));
    if (before >= 0)
        CHECK(done("syscw") - before >= N / 200);
    before = done("syscr");
    OK(MPI_File_read_at(f, (MPI_Offset) rank * N, in, N, MPI_INT, &s));
    if (before >= 0)
        CHECK(done("syscr") - before >= N);
    CHECK(memcmp(out, in, sizeof in) == 0);
    io_close(&f);
}

/* How many bytes of the file are in the cache of the system; -1: that is not known, or the file
 * system is nothing but a cache. */
static long long cached(void)
{
    enum { PAGE = 4096, EXT4 = 0xef53, XFS = 0x58465342 };
    size_t pages = (size_t) (plain_size() + PAGE - 1) / PAGE, n = 0;
    int fd = open(io_path, O_RDONLY);
    struct statfs s;

    CHECK(fd >= 0 && fstatfs(fd, &s) == 0);
    if ((s.f_type != EXT4 && s.f_type != XFS) || sysconf(_SC_PAGESIZE) != PAGE) {
        close(fd);
        return -1;
    }
    void *p = mmap(NULL, pages * PAGE, PROT_READ, MAP_SHARED, fd, 0);
    unsigned char *in = mpitest_memory(pages);
    CHECK(p != MAP_FAILED && mincore(p, pages * PAGE, in) == 0);
    for (size_t i = 0; i < pages; i++)
        n += in[i] & 1;
    munmap(p, pages * PAGE);
    free(in);
    close(fd);
    return (long long) n * PAGE;
}

/* Writes bytes at a place of a file, from an address so far behind a page, and reads them.
 * Returns how many were in the cache after writing; -1: not known, or the hints have no effect. */
static long long direct_piece(const char *value, size_t skew, MPI_Offset at, int len)
{
    enum { MOST = 1 << 18, PAGE = 4096 };
    static _Alignas(PAGE) unsigned char out[MOST + PAGE], in[MOST + PAGE];
    MPI_Info info = info_of("direct_write", value);
    MPI_Status s;

    MPI_Info_set(info, "direct_read", value);
    MPI_File f = opened(info);
    MPI_Info_free(&info);
    bool in_use = !strcmp(in_force(f, "direct_read"), value);
    same(f, "direct_write", in_use ? value : "false");
    for (int i = 0; i < len; i++)
        out[skew + (size_t) i] = pattern(at + i);
    OK(MPI_File_write_at(f, at, out + skew, rank == 0 ? len : 0, MPI_BYTE, &s));
    OK(MPI_File_sync(f));
    long long n = in_use ? cached() : -1;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) { /* the second time up to the end */
        OK(MPI_File_read_at(f, at + i, in + skew, len, MPI_BYTE, &s));
        CHECK_INT(count_of(&s, MPI_BYTE), len - i);
        CHECK(memcmp(in + skew, out + skew + i, (size_t) (len - i)) == 0);
        if (i == 0 && n == 0)
            CHECK_INT(cached(), 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    io_close(&f);
    return n;
}

/* Whole blocks do not get into the cache; what is not aligned does, and nothing is wrong. */
static void direct(void)
{
    enum { LEN = 1 << 18, PAGE = 4096 };

    if (direct_piece("true", 0, 0, LEN) < 0)
        return;
    CHECK_INT(direct_piece("true", 0, 0, LEN), 0);
    CHECK(direct_piece("false", 0, 0, LEN) > LEN / 2);
    CHECK(direct_piece("true", 100, 100, LEN - 300) <= 2 * PAGE);
    CHECK(direct_piece("true", 100, PAGE + 100, 3 * PAGE) <= 2 * PAGE);
    CHECK(direct_piece("true", 1, 0, LEN) > LEN / 2);
    (void) direct_piece("true", 0, 1, LEN);
    (void) direct_piece("true", 0, 0, PAGE - 1);
    (void) direct_piece("true", 0, 0, PAGE + 1);
}

static void lock(int fd, short kind)
{
    struct flock l = { .l_type = kind, .l_whence = SEEK_SET, .l_len = 10 };

    CHECK(fcntl(fd, F_SETLK, &l) == 0);
}

/* Hints that are for moving data stay while a request is under way: it waits for a lock. */
static void under_way(void)
{
    MPI_File f = io_open(10);
    MPI_Request r;
    char c[10];
    int fd = open(io_path, O_RDWR);

    OK(MPI_File_set_atomicity(f, 1));
    if (rank == 0)
        lock(fd, F_WRLCK);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_iread_at(f, 0, c, 10, MPI_BYTE, &r));
    set(f, "ind_rd_buffer_size", "1000");
    same(f, "ind_rd_buffer_size", "524288");
    set(f, "cb_buffer_size", "1000");
    same(f, "cb_buffer_size", "1000");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        lock(fd, F_UNLCK);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    set(f, "ind_rd_buffer_size", "1000");
    same(f, "ind_rd_buffer_size", "1000");
    close(fd);
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    permissions("0640", 0, 0640);
    permissions("0666", 027, 0640);
    permissions("0999", 022, 0644);
    permissions("07777", 0, 0666);
    sieving();
    conversion();
    direct();
    under_way();
    io_end();
    return 0;
}
