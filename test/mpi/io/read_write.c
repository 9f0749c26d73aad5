/* read_write.c — F03, F05, F12: every form of reading and writing by offsets and by the individual
 * pointer, which offsets do not move; seeks; the end of the file; counts of 0 on some ranks;
 * memory with gaps; sizes. */
#include "forms.h"

enum { N = 6, BLOCK = 64 };

/* Ranks write blocks with one form, and read those of the next rank with another. */
static void every_form(enum form writes, enum form reads)
{
    unsigned char want[BLOCK * 9];
    int len = BLOCK * (size + 1), next = (rank + 1) % size, out[N], in[N];
    MPI_Offset mine = BLOCK * rank + 3, other = BLOCK * next + 3;
    MPI_File f = io_open((size_t) len);
    MPI_Status s;

    for (int i = 0; i < len; i++)
        want[i] = pattern(i);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++) {
            int v = r * 1000 + i + (int) writes;
            memcpy(want + BLOCK * r + 3 + i * 4, &v, 4);
        }
    for (int i = 0; i < N; i++) {
        out[i] = rank * 1000 + i + (int) writes;
        in[i] = -1;
    }
    OK(MPI_File_seek(f, uses_pointer(writes) ? mine : 7, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { true, writes, mine, out, N, MPI_INT }, &s);
    CHECK_INT(count_of(&s, MPI_INT), N);
    CHECK_INT(position(f), uses_pointer(writes) ? mine + N * 4 : 7);
    settle(f);
    OK(MPI_File_seek(f, uses_pointer(reads) ? other : 9, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { false, reads, other, in, N, MPI_INT }, &s);
    CHECK_INT(count_of(&s, MPI_INT), N);
    CHECK_INT(position(f), uses_pointer(reads) ? other + N * 4 : 9);
    for (int i = 0; i < N; i++)
        CHECK_INT(in[i], next * 1000 + i + (int) writes);
    for (int i = 0; i < N; i++)
        CHECK_INT(out[i], rank * 1000 + i + (int) writes);
    io_same(want, (size_t) len);
    io_close(&f);
}

/* In turn by offset and by the pointer; what a rank has written it reads at once. */
static void mixed(void)
{
    MPI_File f = io_open(0);
    MPI_Offset base = 1000 * rank;
    char c[4];
    MPI_Status s;

    OK(MPI_File_seek(f, base, MPI_SEEK_SET));
    OK(MPI_File_write(f, "ab", 2, MPI_CHAR, &s));
    OK(MPI_File_write_at(f, base + 4, "ef", 2, MPI_CHAR, &s));
    OK(MPI_File_write(f, "cd", 2, MPI_CHAR, &s));
    CHECK_INT(position(f), base + 4);
    OK(MPI_File_read(f, c, 2, MPI_CHAR, &s));
    CHECK(memcmp(c, "ef", 2) == 0);
    OK(MPI_File_read_at(f, base + 1, c, 4, MPI_CHAR, &s));
    CHECK(memcmp(c, "bcde", 4) == 0);
    CHECK_INT(position(f), base + 6);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), 1000 * (size - 1) + 6);
    io_close(&f);
}

static void seeks(void)
{
    MPI_File f = io_open(100);
    MPI_Offset at = -1;
    MPI_Status s;
    unsigned char c = 0;

    CHECK_INT(position(f), 0);
    OK(MPI_File_seek(f, 10 + rank, MPI_SEEK_SET));
    CHECK_INT(position(f), 10 + rank);
    OK(MPI_File_seek(f, -3, MPI_SEEK_CUR));
    OK(MPI_File_read(f, &c, 1, MPI_BYTE, &s));
    CHECK_INT(c, pattern(7 + rank));
    OK(MPI_File_seek(f, 5, MPI_SEEK_CUR));
    CHECK_INT(position(f), 13 + rank);
    OK(MPI_File_seek(f, -1 - rank, MPI_SEEK_END));
    CHECK_INT(position(f), 99 - rank);
    OK(MPI_File_read(f, &c, 1, MPI_BYTE, &s));
    CHECK_INT(c, pattern(99 - rank));
    OK(MPI_File_seek(f, 0, MPI_SEEK_END));
    CHECK_INT(position(f), 100);
    OK(MPI_File_seek(f, 50, MPI_SEEK_END)); /* does not make the file longer */
    CHECK_INT(position(f), 150);
    CHECK_INT(plain_size(), 100);
    OK(MPI_File_get_byte_offset(f, 17, &at));
    CHECK_INT(at, 17);
    OK(MPI_File_seek(f, -150, MPI_SEEK_CUR));
    CHECK_INT(position(f), 0);
    io_close(&f);
}

/* Of 11 ints, reads get what is there: a shorter count, and 0 at the end and past it. */
static void end_of_file(enum form form)
{
    const struct {
        int at, count, ints;
    } t[] = { { 0, 3, 9 }, { 6, 2, 5 }, { 8, 1, 3 }, { 9, 1, 2 }, { 11, 1, 0 }, { 50, 2, 0 } };
    MPI_File f = io_open(44);
    MPI_Datatype three;
    unsigned char got[100];
    MPI_Status s;
    int n;

    MPI_Type_contiguous(3, MPI_INT, &three);
    three = committed(three);
    for (int i = 0; i < 6; i++) {
        int k = (i + rank) % 6; /* some ranks are past the end while others are not */
        OK(MPI_File_seek(f, 4L * t[k].at, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { false, form, 4L * t[k].at, got, t[k].count, three },
                    &s);
        MPI_Get_elements(&s, three, &n);
        if (starling() || !collective(form)) { /* MPICH 4.0 gives the count that was asked for */
            CHECK_INT(n, t[k].ints);
            CHECK_INT(count_of(&s, three), t[k].ints % 3 ? MPI_UNDEFINED : t[k].ints / 3);
        }
        for (int b = 0; b < t[k].ints * 4; b++)
            CHECK_INT(got[b], pattern(4L * t[k].at + b));
    }
    CHECK_INT(plain_size(), 44);
    MPI_Type_free(&three);
    io_close(&f);
}

/* Nothing is moved where the count is 0: on all ranks, and on some of those that call together. */
static void nothing(enum form form)
{
    unsigned char want[BLOCK * 9];
    MPI_File f = io_open(BLOCK);
    int v = 77, n = BLOCK > size * 4 ? BLOCK : size * 4;
    MPI_Offset mine = 4 * rank;
    MPI_Status s;

    for (int i = 0; i < n; i++)
        want[i] = pattern(i);
    for (int w = 0; w < 2; w++) {
        OK(MPI_File_seek(f, 5000, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { w, form, 6000, NULL, 0, MPI_INT }, &s);
        CHECK_INT(count_of(&s, MPI_INT), 0);
        CHECK_INT(position(f), 5000);
    }
    io_same(want, BLOCK);
    OK(MPI_File_seek(f, mine, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { true, form, mine, &v, rank % 2, MPI_INT }, &s);
    CHECK_INT(count_of(&s, MPI_INT), rank % 2);
    for (int r = 1; r < size; r += 2)
        memcpy(want + 4 * r, &v, 4);
    io_same(want, BLOCK);
    io_close(&f);
}

/* Types of memory with gaps, in another order than in memory, and at absolute addresses. */
static MPI_Datatype memory_type(int kind, const int *base)
{
    MPI_Datatype type, inner;
    MPI_Aint at;

    if (kind == 0) {
        MPI_Type_vector(3, 2, 4, MPI_INT, &type); /* 0 1 4 5 8 9 */
    } else if (kind == 1) {
        MPI_Type_create_hindexed_block(3, 2, (MPI_Aint[]) { 32, 16, 0 }, MPI_INT, &type);
    } else if (kind == 2) {
        MPI_Type_indexed(3, (int[]) { 1, 3, 2 }, (int[]) { 9, 0, 5 }, MPI_INT, &inner);
        /* MPICH 4.0 moves the data by the lower bound. */
        MPI_Type_create_resized(inner, starling() ? -8 : 0, 48, &type);
        MPI_Type_free(&inner);
    } else {
        MPI_Get_address(base, &at);
        MPI_Type_create_hindexed(2, (int[]) { 4, 2 }, (MPI_Aint[]) { at + 4, at + 32 }, MPI_INT,
                                 &type);
    }
    return committed(type);
}

static void gaps_in_memory(enum form form)
{
    const int place[4][6] = {
        { 0, 1, 4, 5, 8, 9 }, { 8, 9, 4, 5, 0, 1 }, { 9, 0, 1, 2, 5, 6 }, { 1, 2, 3, 4, 8, 9 }
    };

    for (int kind = 0; kind < 4; kind++) {
        MPI_File f = io_open((size_t) (24 * size));
        int mem[12], want[12], flat[6];
        MPI_Datatype type = memory_type(kind, mem);
        void *buf = kind == 3 ? MPI_BOTTOM : mem;
        MPI_Status s;

        for (int i = 0; i < 12; i++)
            mem[i] = want[i] = 1000 * rank + i;
        OK(MPI_File_seek(f, 24 * rank, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { true, form, 24 * rank, buf, 1, type }, &s);
        CHECK_INT(count_of(&s, type), 1);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_INT((long long) plain_read(flat, sizeof flat, 24 * rank), 24);
        for (int i = 0; i < 6; i++)
            CHECK_INT(flat[i], want[place[kind][i]]);
        for (int i = 0; i < 12; i++)
            mem[i] = -1;
        OK(MPI_File_seek(f, 24 * rank, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { false, form, 24 * rank, buf, 1, type }, &s);
        for (int i = 0; i < 6; i++) {
            CHECK_INT(mem[place[kind][i]], want[place[kind][i]]);
            mem[place[kind][i]] = -1;
        }
        for (int i = 0; i < 12; i++)
            CHECK_INT(mem[i], -1);
        MPI_Type_free(&type);
        CHECK_INT(plain_size(), 24 * size);
        io_close(&f);
    }
}

static void pointers_stay(MPI_File f)
{
    MPI_Offset at = -1;

    CHECK_INT(position(f), 60 + rank);
    OK(MPI_File_get_position_shared(f, &at));
    CHECK_INT(at, 30);
}

/* Sizes are set for all ranks, by which no pointer moves and no byte that stays changes. */
static void sizes(void)
{
    const int to[] = { 100, 150, 40, 40, 0, 5000 };
    MPI_File f = io_open(100);
    unsigned char got[5000];
    MPI_Offset len;

    OK(MPI_File_seek(f, 60 + rank, MPI_SEEK_SET));
    OK(MPI_File_seek_shared(f, 30, MPI_SEEK_SET));
    for (int i = 0, kept = 100; i < 6; i++) {
        OK(MPI_File_set_size(f, to[i]));
        OK(MPI_File_get_size(f, &len));
        CHECK_INT(len, to[i]);
        CHECK_INT(plain_size(), to[i]);
        kept = to[i] < kept ? to[i] : kept;
        plain_read(got, sizeof got, 0);
        for (int b = 0; b < kept; b++)
            CHECK_INT(got[b], pattern(b));
        pointers_stay(f);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    io_close(&f);
}

static void preallocated(void)
{
    const int to[] = { 50, 100, 8000, 200, 0 };
    MPI_File f = io_open(100);
    unsigned char got[8000];
    MPI_Offset len;
    int most = 100;

    OK(MPI_File_seek(f, 60 + rank, MPI_SEEK_SET));
    OK(MPI_File_seek_shared(f, 30, MPI_SEEK_SET));
    for (int i = 0; i < 5; i++) {
        OK(MPI_File_preallocate(f, to[i]));
        MPI_Barrier(MPI_COMM_WORLD);
        most = to[i] > most ? to[i] : most;
        OK(MPI_File_get_size(f, &len));
        CHECK_INT(len, most);
        CHECK_INT(plain_size(), most);
        plain_read(got, sizeof got, 0);
        for (int b = 0; b < 100; b++)
            CHECK_INT(got[b], pattern(b));
        pointers_stay(f);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    for (enum form form = 0; form < FORMS; form++) {
        every_form(form, (form * 7 + 3) % FORMS);
        end_of_file(form);
        nothing(form);
        gaps_in_memory(form);
    }
    mixed();
    seeks();
    sizes();
    preallocated();
    io_end();
    return 0;
}
