/* nonblocking.c — F05, F08, F15: nonblocking reads and writes among messages in one Waitall,
 * Waitany or Testsome; many at once; completed in another order; the pointer moves when they
 * start. */
#include "forms.h"

enum { MANY = 500, N = 8 };

static int value(int r, int i, int k) { return r * 100000 + i * 100 + k; }

/* Many at once, by offsets and by the pointer, that are completed from the last one on. */
static void many(enum form writes, enum form reads, int count)
{
    int(*buf)[N] = mpitest_memory((size_t) count * sizeof *buf), *want;
    MPI_Request *r = mpitest_memory((size_t) count * sizeof *r);
    MPI_Offset base = (MPI_Offset) rank * count * N;
    MPI_File f = io_open(0);
    MPI_Status s;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int w = 1; w >= 0; w--) {
        enum form form = w ? writes : reads;
        OK(MPI_File_seek(f, base, MPI_SEEK_SET));
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < N; k++)
                buf[i][k] = w ? value(rank, i, k) : -1;
            start(f, &(struct request_of) { w, form, base + i * N, buf[i], N, MPI_INT }, &r[i]);
            CHECK_INT(position(f), base + (uses_pointer(form) ? (i + 1) * N : 0));
        }
        for (int i = count - 1; i >= 0; i--) {
            OK(MPI_Wait(&r[i], &s));
            CHECK_INT(count_of(&s, MPI_INT), N);
        }
        for (int i = 0; i < count; i++)
            for (int k = 0; k < N; k++)
                CHECK_INT(buf[i][k], value(rank, i, k));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    want = mpitest_memory((size_t) (size * count * N) * 4);
    for (int i = 0; i < size * count * N; i++)
        want[i] = value(i / N / count, i / N % count, i % N);
    io_same(want, (size_t) (size * count * N) * 4);
    free(want);
    free(buf);
    free(r);
    io_close(&f);
}

/* Completes requests by one of the calls for several. */
static void complete(int how, int n, MPI_Request *r, MPI_Status *s)
{
    int left = n, done, at[32];
    MPI_Status some[32];

    if (how == 0)
        OK(MPI_Waitall(n, r, s));
    while (how > 0 && left > 0) {
        if (how == 1) {
            OK(MPI_Waitany(n, r, &at[0], &some[0]));
            done = 1;
        } else if (how == 2) {
            OK(MPI_Testsome(n, r, &done, at, some));
        } else {
            int flag;
            OK(MPI_Testany(n, r, &at[0], &flag, &some[0]));
            done = flag ? 1 : 0;
        }
        CHECK(done >= 0 && done <= left);
        for (int i = 0; i < done; i++)
            s[at[i]] = some[i];
        left -= done;
    }
    for (int i = 0; i < n; i++)
        CHECK(r[i] == MPI_REQUEST_NULL);
}

/* A ring of messages among reads and writes of the file. */
static void with_messages(int how, bool together)
{
    enum { K = 4 };
    int out[K], in[K], wrote[K][N], got[K][N], next = (rank + 1) % size;
    MPI_Request r[4 * K];
    MPI_Status s[4 * K];
    MPI_File f = io_open((size_t) (size * K * N));
    const MPI_Offset base = (MPI_Offset) size * K * N;

    for (int i = 0; i < K; i++) {
        unsigned char *bytes = (unsigned char *) got[i];
        MPI_Offset at = (MPI_Offset) (next * K + i) * N;

        memset(bytes, 0, sizeof got[i]);
        out[i] = value(rank, i, 7);
        in[i] = -1;
        for (int k = 0; k < N; k++)
            wrote[i][k] = value(rank, i, k);
        MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &r[4 * i]);
        start(f,
              &(struct request_of) { true, together ? IAT_ALL : IAT, base + (rank * K + i) * N * 4,
                                     wrote[i], N, MPI_INT },
              &r[4 * i + 1]);
        MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &r[4 * i + 2]);
        start(f, &(struct request_of) { false, together ? IAT_ALL : IAT, at, bytes, N, MPI_BYTE },
              &r[4 * i + 3]);
    }
    complete(how, 4 * K, r, s);
    for (int i = 0; i < K; i++) {
        CHECK_INT(in[i], value((rank + size - 1) % size, i, 7));
        CHECK_INT(s[4 * i].MPI_TAG, i);
        CHECK_INT(count_of(&s[4 * i + 1], MPI_INT), N);
        CHECK_INT(count_of(&s[4 * i + 3], MPI_BYTE), N);
        for (int k = 0; k < N; k++)
            CHECK_INT(((unsigned char *) got[i])[k], pattern((next * K + i) * N + k));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < K; i++) {
        plain_read(got[i], sizeof got[i], base + (next * K + i) * N * 4);
        for (int k = 0; k < N; k++)
            CHECK_INT(got[i][k], value(next, i, k));
    }
    io_close(&f);
}

/* Several collective ones at once on two files, completed in another order on each rank. */
static void two_files(void)
{
    MPI_File a = io_open(0), b;
    int x[4], y[4], got[4];
    MPI_Request r[4];
    char path[400];

    snprintf(path, sizeof path, "%s-second", io_path);
    OK(MPI_File_open(MPI_COMM_WORLD, path,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &b));
    for (int i = 0; i < 4; i++)
        x[i] = value(rank, 0, i), y[i] = value(rank, 1, i), got[i] = -1;
    OK(MPI_File_iwrite_at_all(a, 16 * rank, x, 2, MPI_INT, &r[0]));
    OK(MPI_File_iwrite_at_all(b, 16 * rank, y, 4, MPI_INT, &r[1]));
    OK(MPI_File_iwrite_at_all(a, 16 * rank + 8, x + 2, 2, MPI_INT, &r[2]));
    r[3] = MPI_REQUEST_NULL;
    for (int i = 0; i < 3; i++)
        OK(MPI_Wait(&r[(i + rank) % 3], MPI_STATUS_IGNORE));
    OK(MPI_File_iread_at_all(b, 16 * rank, got, 4, MPI_INT, &r[0]));
    OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    CHECK(memcmp(got, y, sizeof y) == 0);
    OK(MPI_File_close(&b));
    plain_read(got, sizeof got, 16 * rank);
    CHECK(memcmp(got, x, sizeof x) == 0);
    io_close(&a);
}

/* One rank alone reads and writes while the others are in no call of the file. */
static void alone(void)
{
    MPI_File f = io_open(100);
    unsigned char c[2] = { 0 };
    MPI_Request r[2];

    if (rank == size - 1) {
        OK(MPI_File_iread_at(f, 50, c, 2, MPI_BYTE, &r[0]));
        OK(MPI_File_iwrite_at(f, 90, "z", 1, MPI_BYTE, &r[1]));
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK(c[0] == pattern(50) && c[1] == pattern(51));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(plain_read(c, 1, 90) == 1 && c[0] == 'z');
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    many(IAT, IPLAIN, MANY);
    many(IPLAIN, IAT, MANY);
    many(IALL, IAT_ALL, 20);
    many(IAT_ALL, IALL, 20);
    for (int how = 0; how < 4; how++) {
        with_messages(how, false);
        if (starling() || how == 0) /* MPICH 4.0 mixes up collective ones that are not waited for */
            with_messages(how, true);
    }
    two_files();
    alone();
    io_end();
    return 0;
}
