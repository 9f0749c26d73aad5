/* split.c — F07: the six pairs of split collective calls: status, pointers, other calls between. */
#include "forms.h"

enum { N = 10 };
enum pair { WITH_POINTER, WITH_OFFSET, ORDERED, PAIRS };

static void write_begin(MPI_File f, enum pair p, MPI_Offset at, const int *buf, int n)
{
    if (p == WITH_POINTER)
        OK(MPI_File_write_all_begin(f, buf, n, MPI_INT));
    else if (p == WITH_OFFSET)
        OK(MPI_File_write_at_all_begin(f, at, buf, n, MPI_INT));
    else
        OK(MPI_File_write_ordered_begin(f, buf, n, MPI_INT));
}

static void write_end(MPI_File f, enum pair p, const int *buf, MPI_Status *s)
{
    if (p == WITH_POINTER)
        OK(MPI_File_write_all_end(f, buf, s));
    else if (p == WITH_OFFSET)
        OK(MPI_File_write_at_all_end(f, buf, s));
    else
        OK(MPI_File_write_ordered_end(f, buf, s));
}

static void read_begin(MPI_File f, enum pair p, MPI_Offset at, int *buf, int n)
{
    if (p == WITH_POINTER)
        OK(MPI_File_read_all_begin(f, buf, n, MPI_INT));
    else if (p == WITH_OFFSET)
        OK(MPI_File_read_at_all_begin(f, at, buf, n, MPI_INT));
    else
        OK(MPI_File_read_ordered_begin(f, buf, n, MPI_INT));
}

static void read_end(MPI_File f, enum pair p, int *buf, MPI_Status *s)
{
    if (p == WITH_POINTER)
        OK(MPI_File_read_all_end(f, buf, s));
    else if (p == WITH_OFFSET)
        OK(MPI_File_read_at_all_end(f, buf, s));
    else
        OK(MPI_File_read_ordered_end(f, buf, s));
}

/* What is allowed while a pair is open: independent calls on the file, and messages. */
static void in_between(MPI_File f)
{
    MPI_Offset at = 1000 + rank * 4;
    int x = 50 + rank, got = -1;
    MPI_Request r;
    MPI_Status s;

    OK(MPI_File_write_at(f, at, &x, 1, MPI_INT, &s));
    CHECK_INT(count_of(&s, MPI_INT), 1);
    OK(MPI_File_iread_at(f, at, &got, 1, MPI_INT, &r));
    OK(MPI_Wait(&r, &s));
    CHECK_INT(got, x);
    MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 3, &got, 1, MPI_INT, (rank + size - 1) % size,
                 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(got, 50 + (rank + size - 1) % size);
    MPI_Allreduce(&x, &got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_INT(got, 50 + size - 1);
}

static void pairs(enum pair p, bool busy, bool some)
{
    int out[N], in[N], want[8 * N], n = some && rank % 2 ? 0 : N, end = 0, mine = 0;
    MPI_File f = io_open(0);
    MPI_Status s;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int r = 0; r < size; r++) {
        mine = r == rank ? end : mine;
        for (int i = 0; i < (some && r % 2 ? 0 : N); i++)
            want[end++] = r * 100 + i;
    }
    for (int i = 0; i < N; i++)
        out[i] = rank * 100 + i, in[i] = -1;
    OK(MPI_File_seek(f, mine, MPI_SEEK_SET));
    write_begin(f, p, mine, out, n);
    if (busy)
        in_between(f);
    write_end(f, p, out, &s);
    CHECK_INT(count_of(&s, MPI_INT), n);
    CHECK_INT(position(f), p == WITH_POINTER ? mine + n : mine);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < end; i++) {
        int got = -1;
        plain_read(&got, 4, 4 * i);
        CHECK_INT(got, want[i]);
    }
    CHECK_INT(plain_size(), busy ? 4000 + size * 16 - 12 : end * 4);
    OK(MPI_File_seek(f, mine, MPI_SEEK_SET));
    OK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    read_begin(f, p, mine, in, n);
    if (busy)
        in_between(f);
    read_end(f, p, in, &s);
    CHECK_INT(count_of(&s, MPI_INT), n);
    for (int i = 0; i < N; i++)
        CHECK_INT(in[i], i < n ? out[i] : -1);
    io_close(&f);
}

/* Each handle may have a pair of its own open, also of one file. */
static void two_handles(void)
{
    MPI_File a = io_open(400), b;
    unsigned char x[8], y[8];
    MPI_Status s;

    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &b));
    OK(MPI_File_read_at_all_begin(a, 8 * rank, x, 8, MPI_BYTE));
    OK(MPI_File_read_at_all_begin(b, 100 + 8 * rank, y, 8, MPI_BYTE));
    OK(MPI_File_read_at_all_end(b, y, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), 8);
    OK(MPI_File_read_at_all_end(a, x, MPI_STATUS_IGNORE));
    for (int i = 0; i < 8; i++)
        CHECK(x[i] == pattern(8 * rank + i) && y[i] == pattern(100 + 8 * rank + i));
    OK(MPI_File_close(&b));
    io_close(&a);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 8);
    for (enum pair p = 0; p < PAIRS; p++)
        for (int k = 0; k < 4; k++)
            pairs(p, k & 1, k & 2);
    two_handles();
    io_end();
    return 0;
}
