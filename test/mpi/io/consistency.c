/* consistency.c — F09: atomic mode: of overlapping writes one is there whole, readers see whole
 * records; without it, sync, barrier and sync make writes seen; the mode is set by all. */
#include "forms.h"

enum { LEN = 40000, ROUNDS = 12, RECORD = 64, STRIDE = 20000 };

static void modes(void)
{
    MPI_File f = io_open(10), second;
    int on = -1;

    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &second));
    OK(MPI_File_get_atomicity(f, &on));
    CHECK_INT(on, 0);
    for (int i = 0; i < 3; i++) {
        OK(MPI_File_set_atomicity(f, i != 1));
        OK(MPI_File_get_atomicity(f, &on));
        CHECK_INT(!!on, i != 1);
        OK(MPI_File_get_atomicity(second, &on)); /* is of a handle, not of the file */
        CHECK_INT(on, 0);
    }
    OK(MPI_File_close(&second));
    io_close(&f);
}

/* All ranks write the same bytes at once; the bytes of one of them stay, all of them. */
static void overlapping(enum form form)
{
    unsigned char *out = mpitest_memory(LEN), *got = mpitest_memory(LEN);
    MPI_File f = io_open(0);
    MPI_Status s;

    OK(MPI_File_set_atomicity(f, 1));
    for (int round = 0; round < ROUNDS; round++) {
        memset(out, 1 + rank + 8 * (round % 16), LEN);
        OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
        MPI_Barrier(MPI_COMM_WORLD);
        access_file(f, &(struct request_of) { true, form, 0, out, LEN, MPI_BYTE }, &s);
        CHECK_INT(count_of(&s, MPI_BYTE), LEN);
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_File_read_at(f, 0, got, LEN, MPI_BYTE, &s));
        CHECK(got[0] > 8 * (round % 16) && got[0] <= 8 * (round % 16) + size);
        for (int i = 1; i < LEN; i++)
            CHECK_INT(got[i], got[0]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(out);
    free(got);
    io_close(&f);
}

/* The same through a view with holes: records that are not contiguous are whole, too. */
static void overlapping_holes(void)
{
    unsigned char out[RECORD], got[RECORD], hole;
    MPI_File f = io_open((size_t) RECORD * STRIDE);
    MPI_Datatype type;
    MPI_Status s;

    MPI_Type_create_resized(MPI_BYTE, 0, STRIDE, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
    OK(MPI_File_set_atomicity(f, 1));
    for (int round = 0; round < 4 * ROUNDS; round++) {
        memset(out, 1 + rank, RECORD);
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_File_write_at(f, 0, out, RECORD, MPI_BYTE, &s));
        OK(MPI_File_read_at(f, 0, got, RECORD, MPI_BYTE, &s)); /* while others write */
        for (int i = 0; i < RECORD; i++)
            CHECK_INT(got[i], got[0]);
        CHECK(got[0] >= 1 && got[0] <= size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < RECORD; i++)
        CHECK(plain_read(&hole, 1, (long) i * STRIDE + 1) == 1
              && hole == pattern((long) i * STRIDE + 1));
    MPI_Type_free(&type);
    io_close(&f);
}

/* Pieces of several pages each, which all ranks write and read many times without waiting for each
 * other: a read finds all pieces of one write. */
static void many_pieces(void)
{
    enum { PIECE = 3 * 4096, APART = 5 * 4096, PIECES = 64, ALL = PIECES * PIECE, TIMES = 150 };
    unsigned char *out = mpitest_memory(ALL), *got = mpitest_memory(ALL);
    MPI_File f = io_open(PIECES * APART);
    MPI_Datatype piece, type;

    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, APART, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
    OK(MPI_File_set_atomicity(f, 1));
    memset(out, 0, ALL);
    if (rank == 0)
        OK(MPI_File_write_at(f, 0, out, ALL, MPI_BYTE, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < TIMES; i++) {
        memset(out, 1 + (rank + i * size) % 250, ALL);
        OK(MPI_File_write_at(f, 0, out, ALL, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_File_read_at(f, 0, got, ALL, MPI_BYTE, MPI_STATUS_IGNORE));
        if (memcmp(got, got + 1, ALL - 1) != 0)
            mpitest_fail(__FILE__, __LINE__, "pieces of several writes");
    }
    MPI_Type_free(&piece);
    MPI_Type_free(&type);
    free(out);
    free(got);
    io_close(&f);
}

/* In atomic mode a message is enough for another rank to see the write. */
static void after_message(void)
{
    MPI_File f = io_open(0);
    int token = -1, got = -1;
    MPI_Status s;

    OK(MPI_File_set_atomicity(f, 1));
    for (int round = 0; round < 20; round++) {
        int value = round * 100;
        if (rank > 0) {
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            OK(MPI_File_read_at(f, 0, &got, 1, MPI_INT, &s));
            CHECK_INT(got, value + rank - 1);
        }
        value += rank;
        OK(MPI_File_write_at(f, 0, &value, 1, MPI_INT, &s));
        if (rank < size - 1)
            MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    io_close(&f);
}

/* One handle writes, another one of a second open reads after sync, barrier, sync. */
static void two_opens(void)
{
    MPI_File a = io_open(0), b;
    MPI_Status s;

    /* MPICH 4.0 does not take MPI_File_sync of a file that is open for reading. */
    OK(MPI_File_open(MPI_COMM_SELF, io_path, starling() ? MPI_MODE_RDONLY : MPI_MODE_RDWR,
                     MPI_INFO_NULL, &b));
    for (int round = 1; round < 20; round++) {
        int out[2] = { round, rank }, in[2] = { -1, -1 }, next = (rank + round) % size;
        OK(MPI_File_write_at(a, 8 * rank, out, 2, MPI_INT, &s));
        OK(MPI_File_sync(a));
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_File_sync(b));
        OK(MPI_File_read_at(b, 8 * next, in, 2, MPI_INT, &s));
        CHECK(in[0] == round && in[1] == next);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    OK(MPI_File_close(&b));
    io_close(&a);
}

/* A close is a sync: what is opened after it sees all. */
static void reopened(void)
{
    MPI_File f = io_open(0);
    int got = -1, next = (rank + 1) % size;
    MPI_Status s;

    for (int round = 0; round < 5; round++) {
        int value = round * 10 + rank;
        OK(MPI_File_write_at_all(f, 4 * rank, &value, 1, MPI_INT, &s));
        OK(MPI_File_close(&f));
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
        OK(MPI_File_read_at(f, 4 * next, &got, 1, MPI_INT, &s));
        CHECK_INT(got, round * 10 + next);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 8);
    modes();
    for (enum form form = 0; form < FORMS; form++)
        overlapping(form);
    overlapping_holes();
    many_pieces();
    after_message();
    two_opens();
    reopened();
    io_end();
    return 0;
}
