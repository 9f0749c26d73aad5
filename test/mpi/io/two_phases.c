/* two_phases.c — F12, F15: collective accesses that interleave, which a library may do in two
 * phases: blocks of the ranks in turn with gaps between, small and large ones, memory with holes,
 * ranks with less than others or nothing, a long run beside many short ones of other ranks, views
 * that are set again elsewhere, and files that end in the middle. Gaps keep their bytes.
 *
 * MPICH 4.0 counts what it has not read behind the end of a file. */
#include "forms.h"

struct shape { /* rounds of blocks, one of each rank, and a gap behind them */
    int block, gap, blocks;
    size_t disp;
    bool spread; /* in memory: every second byte */
};

static int turn_of(const struct shape *s) { return size * s->block + s->gap; }
static size_t end_of(const struct shape *s)
{
    return s->disp + (size_t) s->blocks * (size_t) turn_of(s);
}

/* Blocks of this rank: the second of three ranks has half as many, the third has none. */
static int blocks_of(const struct shape *s, bool uneven, int r)
{
    return !uneven || r % 3 == 0 ? s->blocks : r % 3 == 1 ? s->blocks / 2 : 0;
}

static void set_view(MPI_File f, const struct shape *s)
{
    MPI_Datatype block, type;

    MPI_Type_contiguous(s->block, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, turn_of(s), &type);
    type = committed(type);
    OK(MPI_File_set_view(f, (MPI_Offset) s->disp + rank * s->block, MPI_BYTE, type, "native",
                         MPI_INFO_NULL));
    MPI_Type_free(&type);
    MPI_Type_free(&block);
}

static unsigned char value(int r, size_t i) { return (unsigned char) (r * 37 + (int) (i % 251)); }

/* What the file has behind a write of all ranks. */
static void expect(const struct shape *s, bool uneven, unsigned char *file)
{
    for (int r = 0; r < size; r++)
        for (int k = 0; k < blocks_of(s, uneven, r); k++)
            for (int i = 0; i < s->block; i++)
                file[s->disp + (size_t) k * (size_t) turn_of(s) + (size_t) (r * s->block + i)] =
                    value(r, (size_t) k * (size_t) s->block + (size_t) i);
}

static void access_all(MPI_File f, const struct shape *s, bool uneven, enum form form, bool writes)
{
    int step = s->spread ? 2 : 1, n = blocks_of(s, uneven, rank) * s->block;
    unsigned char *data = mpitest_memory((size_t) n * 2 + 1);
    MPI_Datatype every = committed((MPI_Type_vector(n ? n : 1, 1, step, MPI_BYTE, &every), every));
    MPI_Status st;

    memset(data, 0x5a, (size_t) n * 2 + 1);
    for (int i = 0; writes && i < n; i++)
        data[i * step] = value(rank, (size_t) i);
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { writes, form, 0, data, n ? 1 : 0, every }, &st);
    CHECK_INT(count_of(&st, MPI_BYTE), n);
    for (int i = 0; i < n; i++) {
        CHECK_INT(data[i * step], value(rank, (size_t) i));
        if (s->spread)
            CHECK_INT(data[i * 2 + 1], 0x5a);
    }
    MPI_Type_free(&every);
    free(data);
}

static void try(const struct shape *s, bool uneven, enum form form)
{
    size_t len = end_of(s) + 100;
    MPI_File f = io_open(len);
    unsigned char *want = mpitest_memory(len);

    for (size_t i = 0; i < len; i++)
        want[i] = pattern((long long) i);
    set_view(f, s);
    access_all(f, s, uneven, form, true);
    expect(s, uneven, want);
    io_same(want, len);
    access_all(f, s, uneven, form, false);
    free(want);
    io_close(&f);
}

/* The file ends in the middle of what is read: what is behind it in memory stays. */
static void ends(int block)
{
    const struct shape s = { block, 8, 100, 3, false };
    size_t len = end_of(&s) / 2, all = (size_t) block * 100;
    MPI_File f = io_open(len);
    unsigned char *data = mpitest_memory(all);
    MPI_Status st;
    int n = 0;

    memset(data, 0x5a, all);
    set_view(f, &s);
    OK(MPI_File_read_all(f, data, (int) all, MPI_BYTE, &st));
    for (size_t at = 0; at < all; at++) {
        size_t place = s.disp + at / (size_t) block * (size_t) turn_of(&s) + (size_t) (rank * block)
                       + at % (size_t) block;
        CHECK_INT(data[at], place < len ? pattern((long long) place) : 0x5a);
        n += place < len;
    }
    CHECK_INT(count_of(&st, MPI_BYTE), n);
    free(data);
    io_close(&f);
}

/* Blocks of each rank lie on half of those of the rank before, or all of them, and all write the
 * same bytes at the same places: the gaps stay. */
static void overlap(int block, int shift)
{
    enum { N = 50 };
    int turn = size * block + 10;
    size_t len = (size_t) (N * turn);
    MPI_File f = io_open(len);
    unsigned char *want = mpitest_memory(len), *data = mpitest_memory((size_t) (N * block));
    MPI_Datatype one, type;
    MPI_Status st;

    MPI_Type_contiguous(block, MPI_BYTE, &one);
    MPI_Type_create_resized(one, 0, turn, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, 2 + rank * shift, MPI_BYTE, type, "native", MPI_INFO_NULL));
    for (int i = 0; i < N * turn; i++)
        want[i] = i % turn >= 2 && i % turn < 2 + (size - 1) * shift + block
                      ? (unsigned char) (pattern(i) + 1)
                      : pattern(i);
    for (int i = 0; i < N * block; i++)
        data[i] = want[i / block * turn + 2 + rank * shift + i % block];
    OK(MPI_File_write_all(f, data, N * block, MPI_BYTE, &st));
    CHECK_INT(count_of(&st, MPI_BYTE), N * block);
    io_same(want, len);
    memset(data, 0, (size_t) (N * block));
    OK(MPI_File_read_at_all(f, 0, data, N * block, MPI_BYTE, &st));
    for (int i = 0; i < N * block; i++)
        CHECK_INT(data[i], want[i / block * turn + 2 + rank * shift + i % block]);
    MPI_Type_free(&type);
    MPI_Type_free(&one);
    free(want);
    free(data);
    io_close(&f);
}

enum { LONG_RUN = 70000, SHORT_RUNS = 300 };

/* The place of byte i of a rank: even ranks have one run behind another, odd ones small blocks in
 * turn behind all of these. */
static size_t place_of(int r, size_t i)
{
    size_t behind = (size_t) (size + 1) / 2 * LONG_RUN;

    if (r % 2 == 0)
        return (size_t) r / 2 * LONG_RUN + i;
    return behind + i / 10 * (size_t) (size / 2) * 12 + (size_t) (r / 2) * 12 + i % 10;
}

static void set_unlike_view(MPI_File f)
{
    MPI_Datatype type;

    MPI_Type_contiguous(rank % 2 ? 10 : LONG_RUN, MPI_BYTE, &type);
    MPI_Datatype block = type;
    MPI_Type_create_resized(block, 0, rank % 2 ? size / 2 * 12 : LONG_RUN, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, (MPI_Offset) place_of(rank, 0), MPI_BYTE, type, "native",
                         MPI_INFO_NULL));
    MPI_Type_free(&type);
    MPI_Type_free(&block);
}

static void unlike(enum form form)
{
    size_t len = place_of(1, SHORT_RUNS * 10) + 50, n = rank % 2 ? SHORT_RUNS * 10 : LONG_RUN;
    unsigned char *want = mpitest_memory(len), *data = mpitest_memory(n);
    MPI_File f = io_open(len);
    MPI_Status st;

    for (size_t i = 0; i < len; i++)
        want[i] = pattern((long long) i);
    for (int r = 0; r < size; r++)
        for (size_t i = 0; i < (r % 2 ? SHORT_RUNS * 10 : LONG_RUN); i++)
            want[place_of(r, i)] = value(r, i);
    for (size_t i = 0; i < n; i++)
        data[i] = value(rank, i);
    set_unlike_view(f);
    access_file(f, &(struct request_of) { true, form, 0, data, (int) n, MPI_BYTE }, &st);
    CHECK_INT(count_of(&st, MPI_BYTE), (int) n);
    io_same(want, len);
    memset(data, 0, n);
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { false, form, 0, data, (int) n, MPI_BYTE }, &st);
    CHECK_INT(count_of(&st, MPI_BYTE), (int) n);
    for (size_t i = 0; i < n; i++)
        CHECK_INT(data[i], value(rank, i));
    free(want);
    free(data);
    io_close(&f);
}

/* Each rank has every size-th block of `block` bytes, from `at` on. */
static void write_turns(MPI_File f, MPI_Datatype turns, int block, size_t at, unsigned char *want)
{
    enum { N = 200 };
    unsigned char *data = mpitest_memory((size_t) (N * block));

    for (int r = 0; r < size; r++)
        for (int i = 0; i < N * block; i++)
            want[at + (size_t) (i / block * size * block + r * block + i % block)] =
                value(r + (int) at, (size_t) i);
    for (int i = 0; i < N * block; i++)
        data[i] = value(rank + (int) at, (size_t) i);
    OK(MPI_File_set_view(f, (MPI_Offset) at + rank * block, MPI_BYTE, turns, "native",
                         MPI_INFO_NULL));
    OK(MPI_File_write_all(f, data, N * block, MPI_BYTE, MPI_STATUS_IGNORE));
    free(data);
}

static MPI_Datatype turns_of(int block)
{
    MPI_Datatype one, type;

    MPI_Type_contiguous(block, MPI_BYTE, &one);
    MPI_Type_create_resized(one, 0, size * block, &type);
    MPI_Type_free(&one);
    return committed(type);
}

/* The same filetype at other places, on all ranks; on some, while others set one that is equal; the
 * one before it; and another one. */
static void views_again(void)
{
    size_t part = (size_t) size * 200 * 9 + 30, len = 6 * part;
    unsigned char *want = mpitest_memory(len);
    MPI_Datatype first = turns_of(7), equal = turns_of(7), other = turns_of(9);
    MPI_File f = io_open(len);

    for (size_t i = 0; i < len; i++)
        want[i] = pattern((long long) i);
    write_turns(f, first, 7, 0, want);
    write_turns(f, first, 7, part, want);
    write_turns(f, rank ? first : equal, 7, 2 * part, want);
    write_turns(f, first, 7, 3 * part, want);
    write_turns(f, other, 9, 4 * part, want);
    write_turns(f, other, 9, 5 * part + 3, want);
    io_same(want, len);
    MPI_Type_free(&first);
    MPI_Type_free(&equal);
    MPI_Type_free(&other);
    free(want);
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    const struct shape shapes[] = { { 1, 0, 3000, 0, false },    { 7, 3, 1000, 11, false },
                                    { 64, 0, 500, 4096, true },  { 4096, 0, 30, 0, false },
                                    { 5000, 77, 40, 1, true },   { 100000, 0, 5, 0, false },
                                    { 3000, 5, 1200, 0, false }, { 1, 9999, 300, 5, false },
                                    { 700, 20000, 30, 9, true } };
    bool full = test_size(false, true); /* else half of the forms for each shape */
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (full || i % 2 == 0) {
            try(&shapes[i], false, ALL);
            try(&shapes[i], true, IALL);
        }
        if (full || i % 2 == 1) {
            try(&shapes[i], false, SPLIT);
            try(&shapes[i], true, AT_ALL);
        }
    }
    views_again();
    unlike(AT_ALL);
    unlike(IALL);
    unlike(SPLIT_AT);
    ends(16);
    ends(1000);
    for (int shift = 0; shift <= 1; shift++) {
        overlap(4, 2 * shift);
        overlap(1000, 500 * shift);
    }
    io_end();
    return 0;
}
