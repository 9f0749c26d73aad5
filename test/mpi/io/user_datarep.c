/* user_datarep.c — F11: representations of the program: values are turned around by its functions,
 * extents are its own, parts come in any sizes; names that are taken; functions that fail.
 *
 * known: MPICH 4.0 does not take conversion functions. */
#include "forms.h"

static int conversions, extents, failing;
static int state = 77;

/* In the file an int takes 6 bytes: its 4 bytes from the last to the first, and two of 0xee. */
enum { WIDE = 6 };

static int extent(MPI_Datatype type, MPI_Aint *file_extent, void *extra_state)
{
    CHECK(extra_state == &state);
    extents++;
    *file_extent = type == MPI_INT ? WIDE : 1;
    return MPI_SUCCESS;
}

/* Where a data item of a (tiled) type of memory is: ints are one after another, in the vector of
 * memory_gaps there is a gap after each. */
static MPI_Aint place(MPI_Datatype type, MPI_Offset item)
{
    MPI_Aint lb, extent_of;

    MPI_Type_get_extent(type, &lb, &extent_of);
    return extent_of == 4 ? 4 * item : item / 4 * extent_of + item % 4 * 8;
}

static int write_ints(void *user, MPI_Datatype type, int count, void *file, MPI_Offset at,
                      void *extra_state)
{
    CHECK(extra_state == &state && count >= 0);
    conversions += count;
    for (int i = 0; i < count; i++) {
        const unsigned char *from = (unsigned char *) user + place(type, at + i);
        unsigned char *to = (unsigned char *) file + WIDE * i;
        for (int b = 0; b < 4; b++)
            to[b] = from[3 - b];
        to[4] = to[5] = 0xee;
    }
    return failing ? MPI_ERR_CONVERSION : MPI_SUCCESS;
}

static int read_ints(void *user, MPI_Datatype type, int count, void *file, MPI_Offset at,
                     void *extra_state)
{
    CHECK(extra_state == &state && count >= 0);
    conversions += count;
    for (int i = 0; i < count; i++) {
        unsigned char *to = (unsigned char *) user + place(type, at + i);
        const unsigned char *from = (unsigned char *) file + WIDE * i;
        for (int b = 0; b < 4; b++)
            to[b] = from[3 - b];
        CHECK(from[4] == 0xee && from[5] == 0xee);
    }
    return failing ? MPI_ERR_CONVERSION : MPI_SUCCESS;
}

static void one_form(enum form form, int n)
{
    int *out = mpitest_memory((size_t) n * 4), *in = mpitest_memory((size_t) n * 4);
    unsigned char got[WIDE];
    MPI_File f = io_open(0);
    MPI_Aint wide = -1;
    MPI_Offset at = -1;
    MPI_Status s;

    for (int i = 0; i < n; i++)
        out[i] = rank * 1000000 + i * 3 + 1;
    OK(MPI_File_set_view(f, 5, MPI_INT, MPI_INT, "turned", MPI_INFO_NULL));
    OK(MPI_File_get_type_extent(f, MPI_INT, &wide));
    CHECK(wide == WIDE && extents > 0);
    OK(MPI_File_get_byte_offset(f, 7, &at));
    CHECK_INT(at, 5 + 7 * WIDE);
    conversions = 0;
    OK(MPI_File_seek(f, rank * n, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { true, form, rank * n, out, n, MPI_INT }, &s);
    CHECK_INT(count_of(&s, MPI_INT), n);
    CHECK_INT(conversions, n);
    settle(f);
    CHECK_INT(plain_size(), 5 + size * n * WIDE);
    for (int i = 0; i < n; i++) {
        int v = rank * 1000000 + i * 3 + 1;
        plain_read(got, WIDE, 5 + (rank * n + i) * WIDE);
        for (int b = 0; b < 4; b++)
            CHECK_INT(got[b], ((unsigned char *) &v)[3 - b]);
        CHECK(got[4] == 0xee && got[5] == 0xee);
    }
    OK(MPI_File_seek(f, rank * n, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { false, form, rank * n, in, n, MPI_INT }, &s);
    CHECK_INT(count_of(&s, MPI_INT), n);
    CHECK(memcmp(in, out, (size_t) n * 4) == 0);
    CHECK_INT(conversions, 2 * n);
    free(in);
    free(out);
    io_close(&f);
}

static void memory_gaps(void)
{
    MPI_File f = io_open(0);
    int mem[7] = { 1, -1, 2, -1, 3, -1, 4 }, back[7];
    MPI_Datatype memory;
    MPI_Status s;

    MPI_Type_vector(4, 1, 2, MPI_INT, &memory);
    memory = committed(memory);
    memset(back, -1, sizeof back);
    OK(MPI_File_set_view(f, rank * 4 * WIDE, MPI_INT, MPI_INT, "turned", MPI_INFO_NULL));
    OK(MPI_File_write_all(f, mem, 1, memory, &s));
    OK(MPI_File_read_at_all(f, 0, back, 1, memory, &s));
    CHECK(memcmp(back, mem, sizeof mem) == 0);
    MPI_Type_free(&memory);
    io_close(&f);
}

static void conversion_fails(void)
{
    MPI_File f = io_open(0);
    MPI_Status s;
    int x = 1;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "turned", MPI_INFO_NULL));
    failing = 1;
    EXPECT(MPI_ERR_CONVERSION, MPI_File_write_at(f, rank, &x, 1, MPI_INT, &s));
    failing = 0;
    OK(MPI_File_write_at(f, rank, &x, 1, MPI_INT, &s));
    failing = 1;
    EXPECT(MPI_ERR_CONVERSION, MPI_File_read_at(f, rank, &x, 1, MPI_INT, &s));
    failing = 0;
    OK(MPI_File_read_at(f, rank, &x, 1, MPI_INT, &s));
    CHECK_INT(x, 1);
    io_close(&f);
}

/* Without functions, data are as in memory, but the extent is that of the program. */
static void not_converted(void)
{
    MPI_File f = io_open(0);
    int x = 0x01020304 + rank, got = -1;
    MPI_Status s;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "plain", MPI_INFO_NULL));
    OK(MPI_File_write_at_all(f, rank, &x, 1, MPI_INT, &s));
    plain_read(&got, 4, 4 * rank);
    CHECK_INT(got, x);
    io_close(&f);
}

static int native_extent(MPI_Datatype type, MPI_Aint *file_extent, void *extra_state)
{
    MPI_Aint lb;

    (void) extra_state;
    return MPI_Type_get_extent(type, &lb, file_extent);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    OK(MPI_Register_datarep("turned", read_ints, write_ints, extent, &state));
    OK(MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, native_extent,
                            NULL));
    for (enum form form = 0; form < FORMS; form++) {
        one_form(form, 10);
        one_form(form, 30000 / (int) (form + 1));
    }
    memory_gaps();
    not_converted();
    conversion_fails();
    io_end();
    return 0;
}
