/* shared_pointer.c — F06: records that ranks write and read by the shared pointer, in any order and
 * in the order of ranks; nonblocking and split forms; seeks; other pointers do not move. */
#include "forms.h"

enum { EACH = 20, LONGEST = 16 };

static MPI_Offset shared_position(MPI_File f)
{
    MPI_Offset at = -1;

    OK(MPI_File_get_position_shared(f, &at));
    return at;
}

/* A record: its rank, its number, and a sum. */
static void record(int *r, int of, int number)
{
    r[0] = of, r[1] = number, r[2] = 7 * of + 31 * number + 1;
}

/* Each record once and whole, and those of a rank in their order if it waited for each. */
static void complete(const int *r, int n, bool in_order)
{
    int next[8] = { 0 }, seen[8][EACH] = { { 0 } };

    for (int i = 0; i < n; i++, r += 3) {
        CHECK(r[0] >= 0 && r[0] < size && r[1] >= 0 && r[1] < EACH);
        CHECK_INT(r[2], 7 * r[0] + 31 * r[1] + 1);
        CHECK_INT(seen[r[0]][r[1]]++, 0);
        CHECK(!in_order || r[1] == next[r[0]]++);
    }
}

static void written(bool waits)
{
    int n = size * EACH, mine[EACH][3], *all = mpitest_memory((size_t) n * 12);
    MPI_Request r[EACH];
    MPI_Status s[EACH];
    MPI_File f = io_open(0);

    OK(MPI_File_set_view(f, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(f, 2, MPI_SEEK_SET));
    for (int i = 0; i < EACH; i++) {
        record(mine[i], rank, i);
        if (waits)
            OK(MPI_File_write_shared(f, mine[i], 3, MPI_INT, &s[i]));
        else
            OK(MPI_File_iwrite_shared(f, mine[i], 3, MPI_INT, &r[i]));
    }
    if (!waits)
        OK(MPI_Waitall(EACH, r, s));
    for (int i = 0; i < EACH; i++)
        CHECK_INT(count_of(&s[i], MPI_INT), 3);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(shared_position(f), 3 * n);
    CHECK_INT(position(f), 2);
    CHECK_INT(plain_size(), 4 + 12 * n);
    plain_read(all, (size_t) n * 12, 4);
    complete(all, n, waits);
    free(all);
    io_close(&f);
}

static void read_once(bool waits)
{
    int n = size * EACH, mine[EACH][3], *all = mpitest_memory((size_t) n * 12), x = 0;
    MPI_Request r[EACH];
    MPI_Status s[EACH];
    MPI_File f = io_open(0);

    for (int i = 0; i < n; i++)
        record(all + 3 * i, i % size, i / size);
    if (rank == 0)
        plain_write(all, (size_t) n * 12, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < EACH; i++)
        if (waits)
            OK(MPI_File_read_shared(f, mine[i], 3, MPI_INT, &s[i]));
        else
            OK(MPI_File_iread_shared(f, mine[i], 3, MPI_INT, &r[i]));
    if (!waits)
        OK(MPI_Waitall(EACH, r, s));
    for (int i = 0; i < EACH; i++)
        CHECK_INT(count_of(&s[i], MPI_INT), 3);
    MPI_Allgather(mine, 3 * EACH, MPI_INT, all, 3 * EACH, MPI_INT, MPI_COMM_WORLD);
    complete(all, n, false);
    CHECK_INT(shared_position(f), 3 * n);
    CHECK_INT(position(f), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_read_shared(f, &x, 1, MPI_INT, &s[0])); /* nothing more */
    CHECK_INT(count_of(&s[0], MPI_INT), 0);
    free(all);
    io_close(&f);
}

static int length(int r, int round) { return (r * 5 + round * 3) % LONGEST; }

static int ordered_value(int r, int round, int i) { return r * 10000 + round * 100 + i; }

static void ordered_write(MPI_File f, int *buf, int n, bool split, MPI_Status *s)
{
    if (split) {
        OK(MPI_File_write_ordered_begin(f, buf, n, MPI_INT));
        OK(MPI_File_write_ordered_end(f, buf, s));
    } else {
        OK(MPI_File_write_ordered(f, buf, n, MPI_INT, s));
    }
}

static void ordered_read(MPI_File f, int *buf, int n, bool split, MPI_Status *s)
{
    if (split) {
        OK(MPI_File_read_ordered_begin(f, buf, n, MPI_INT));
        OK(MPI_File_read_ordered_end(f, buf, s));
    } else {
        OK(MPI_File_read_ordered(f, buf, n, MPI_INT, s));
    }
}

/* Parts of different lengths, some of them 0, are in the order of ranks; read back by others. */
static void ordered(bool split)
{
    enum { ROUNDS = 7 };
    int all[8 * LONGEST * ROUNDS], buf[LONGEST], n = 0, at = 0;
    MPI_File f = io_open(0);
    MPI_Status s;

    OK(MPI_File_set_view(f, 12, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(f, rank, MPI_SEEK_SET));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < length(rank, round); i++)
            buf[i] = ordered_value(rank, round, i);
        ordered_write(f, buf, length(rank, round), split, &s);
        CHECK_INT(count_of(&s, MPI_INT), length(rank, round));
        for (int r = 0; r < size; r++)
            for (int i = 0; i < length(r, round); i++)
                all[n++] = ordered_value(r, round, i);
        CHECK_INT(shared_position(f), n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_INT(position(f), rank);
    CHECK_INT(plain_size(), 12 + 4 * n);
    for (int i = 0; i < n; i++) {
        plain_read(buf, 4, 12 + 4 * i);
        CHECK_INT(buf[0], all[i]);
    }
    settle(f);
    OK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    for (int round = 0; round < ROUNDS; round++) {
        int mine = at;
        for (int r = 0; r < rank; r++)
            mine += length(size - 1 - r, round);
        ordered_read(f, buf, length(size - 1 - rank, round), split, &s);
        CHECK_INT(count_of(&s, MPI_INT), length(size - 1 - rank, round));
        for (int i = 0; i < length(size - 1 - rank, round); i++)
            CHECK_INT(buf[i], all[mine + i]);
        for (int r = 0; r < size; r++)
            at += length(r, round);
    }
    io_close(&f);
}

static void seeks(void)
{
    MPI_File f = io_open(400);
    int got = 0, want = 0;
    MPI_Status s;

    OK(MPI_File_set_view(f, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    CHECK_INT(shared_position(f), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_seek_shared(f, 10, MPI_SEEK_SET));
    CHECK_INT(shared_position(f), 10);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_seek_shared(f, -4, MPI_SEEK_CUR));
    CHECK_INT(shared_position(f), 6);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_seek_shared(f, -8, MPI_SEEK_END));
    CHECK_INT(shared_position(f), 90);
    CHECK_INT(position(f), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) { /* one rank alone */
        OK(MPI_File_read_shared(f, &got, 1, MPI_INT, &s));
        plain_read(&want, 4, 8 + 90 * 4);
        CHECK_INT(got, want);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(shared_position(f), 91);
    /* The other pointers do not move it. */
    OK(MPI_File_seek(f, 3, MPI_SEEK_SET));
    OK(MPI_File_read_all(f, &got, 1, MPI_INT, &s));
    OK(MPI_File_read_at(f, 7, &got, 1, MPI_INT, &s));
    CHECK_INT(shared_position(f), 91);
    MPI_Barrier(MPI_COMM_WORLD);
    io_close(&f);
}

/* Each open has a pointer of its own, also of the same file. */
static void two_opens(void)
{
    MPI_File a = io_open(0), b;
    MPI_Status s;

    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &b));
    OK(MPI_File_write_shared(a, "abc", 3, MPI_CHAR, &s));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(shared_position(a), 3 * size);
    CHECK_INT(shared_position(b), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_close(&b));
    io_close(&a);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 8);
    for (int k = 0; k < 2; k++) {
        written(k);
        read_once(k);
        ordered(k);
    }
    seeks();
    if (starling()) /* MPICH 4.0 has one pointer for both */
        two_opens();
    io_end();
    return 0;
}
