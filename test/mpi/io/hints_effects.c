/* hints_effects.c — F13: what hints do: permissions of new files, sieving, memory of conversions.
 *
 * known: MPICH 4.0 does not do these. */
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
    under_way();
    io_end();
    return 0;
}
