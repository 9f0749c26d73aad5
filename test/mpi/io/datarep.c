/* datarep.c — F10, D11: native, internal and external32: the bytes on disk, extents, views with
 * holes in units of the representation; what is no representation. */
#include <wchar.h>
#include "forms.h"
#include "typemap.h"

static void set(MPI_File f, MPI_Offset disp, MPI_Datatype type, const char *datarep)
{
    OK(MPI_File_set_view(f, disp, type, type, datarep, MPI_INFO_NULL));
}

/* Writes n values in external32, compares the bytes of the file with literal ones, reads back. */
static void external(const char *name, MPI_Datatype type, int n, const void *values, size_t each,
                     const unsigned char *want)
{
    const int bytes = (int) want[0]; /* of one value in the file */
    unsigned char got[128], back[128];
    MPI_File f = io_open(0);
    MPI_Offset at = -1;
    MPI_Aint extent = -1;
    MPI_Status s;

    set(f, 3, type, "external32");
    OK(MPI_File_get_type_extent(f, type, &extent));
    if (extent != bytes)
        mpitest_fail(name, (int) extent, "extent in external32");
    OK(MPI_File_get_byte_offset(f, 5, &at));
    CHECK_INT(at, 3 + 5 * bytes);
    OK(MPI_File_write_at(f, rank * n, values, n, type, &s));
    CHECK_INT(count_of(&s, type), n);
    settle(f);
    CHECK_INT(plain_size(), 3 + size * n * bytes);
    for (int r = 0; r < size; r++) {
        plain_read(got, (size_t) (n * bytes), 3 + r * n * bytes);
        if (memcmp(got, want + 1, (size_t) (n * bytes)) != 0)
            mpitest_fail(name, got[0], "bytes in external32");
    }
    OK(MPI_File_seek(f, (rank + 1) % size * n, MPI_SEEK_SET));
    OK(MPI_File_read_all(f, back, n, type, &s));
    CHECK_INT(count_of(&s, type), n);
    CHECK_INT(position(f), ((rank + 1) % size + 1) * n);
    if (memcmp(back, values, (size_t) n * each) != 0)
        mpitest_fail(name, back[0], "values from external32");
    io_close(&f);
}

/* Two values of a type, and: the bytes of one in the file, all bytes. */
#define EXTERNAL(type, c, a, b, ...)                                                               \
    external(#type, type, 2, (c[]) { a, b }, sizeof(c), (unsigned char[]) { __VA_ARGS__ })

static void integers(void)
{
    EXTERNAL(MPI_CHAR, char, 'a', 'b', 1, 'a', 'b');
    EXTERNAL(MPI_SHORT, short, 0x0102, -2, 2, 1, 2, 0xff, 0xfe);
    EXTERNAL(MPI_INT, int, 0x01020304, -2, 4, 1, 2, 3, 4, 0xff, 0xff, 0xff, 0xfe);
    EXTERNAL(MPI_UNSIGNED, unsigned, 0xfffefdfc, 7, 4, 0xff, 0xfe, 0xfd, 0xfc, 0, 0, 0, 7);
    EXTERNAL(MPI_LONG_LONG, long long, 0x0102030405060708, -3, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0xff,
             0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd);
    EXTERNAL(MPI_INT16_T, int16_t, 0x0102, 3, 2, 1, 2, 0, 3);
    EXTERNAL(MPI_UINT64_T, uint64_t, 1, 0xf000000000000002, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0xf0, 0, 0,
             0, 0, 0, 0, 2);
    EXTERNAL(MPI_BYTE, unsigned char, 0xfe, 1, 1, 0xfe, 1);
}

static void floating(void)
{
    EXTERNAL(MPI_FLOAT, float, 1.0f, -2.5f, 4, 0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0);
    EXTERNAL(MPI_DOUBLE, double, 1.0, -2.5, 8, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 4, 0, 0, 0, 0, 0,
             0);
}

/* Sizes that differ from those in memory. MPICH 4.0 stores them as they are. */
static void other_sizes(void)
{
    EXTERNAL(MPI_LONG, long, 0x01020304, -2, 4, 1, 2, 3, 4, 0xff, 0xff, 0xff, 0xfe);
    EXTERNAL(MPI_UNSIGNED_LONG, unsigned long, 0xf1020304, 2, 4, 0xf1, 2, 3, 4, 0, 0, 0, 2);
    EXTERNAL(MPI_WCHAR, wchar_t, L'a', 0x20ac, 2, 0, 'a', 0x20, 0xac);
    external("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, 1, &(long double) { 1.0L }, 10, /* 6 are padding */
             (unsigned char[]) { 16, 0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 });
}

/* Memory and file have other holes; the bytes in the holes of the file stay. */
static void holes(enum form form)
{
    MPI_Datatype vector, memory;
    MPI_File f = io_open(200);
    unsigned char want[200];
    int mem[7] = { 1, -1, 3, -1, 5, -1, 7 }, back[7];
    MPI_Status s;

    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]) { 0, 8 }, MPI_INT, &vector);
    vector = committed(vector); /* of two ints, and a hole between them */
    MPI_Type_vector(4, 1, 2, MPI_INT, &memory);
    memory = committed(memory);
    OK(MPI_File_set_view(f, 1 + 40 * rank, MPI_INT, vector, "external32", MPI_INFO_NULL));
    access_file(f, &(struct request_of) { true, form, 0, mem, 1, memory }, &s);
    CHECK_INT(count_of(&s, memory), 1);
    memset(back, -1, sizeof back);
    OK(MPI_File_read_at(f, 0, back, 1, memory, &s));
    CHECK(memcmp(back, mem, sizeof mem) == 0);
    for (int i = 0; i < 200; i++)
        want[i] = pattern(i);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < 4; i++) {
            int at = 1 + 40 * r + i / 2 * 12 + i % 2 * 8;
            memcpy(want + at, (unsigned char[]) { 0, 0, 0, (unsigned char) (2 * i + 1) }, 4);
        }
    io_same(want, 200);
    MPI_Type_free(&vector);
    MPI_Type_free(&memory);
    io_close(&f);
}

/* What is written as internal can be read as internal; extents are those in memory as native. */
static void native_and_internal(void)
{
    const char *const name[] = { "native", "internal" };

    for (int i = 0; i < 2; i++) {
        MPI_File f = io_open(0);
        double out[3] = { 1.5 + rank, -2, 1e300 }, in[3] = { 0 };
        char datarep[MPI_MAX_DATAREP_STRING] = "";
        MPI_Datatype etype, filetype;
        MPI_Aint extent = -1;
        MPI_Offset disp;

        set(f, 0, MPI_DOUBLE, name[i]);
        OK(MPI_File_get_view(f, &disp, &etype, &filetype, datarep));
        if (i == 0 || starling()) /* MPICH 4.0 calls both native */
            CHECK(strcmp(datarep, name[i]) == 0);
        OK(MPI_File_get_type_extent(f, MPI_LONG, &extent));
        CHECK(i == 1 || extent == (MPI_Aint) sizeof(long));
        OK(MPI_File_write_at_all(f, 3 * rank, out, 3, MPI_DOUBLE, MPI_STATUS_IGNORE));
        OK(MPI_File_close(&f));
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == 0) {
            CHECK(plain_read(in, sizeof in, 24 * rank) == 24);
            CHECK(memcmp(in, out, sizeof in) == 0);
        }
        memset(in, 0, sizeof in);
        OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
        set(f, 0, MPI_DOUBLE, name[i]);
        OK(MPI_File_read_at_all(f, 3 * rank, in, 3, MPI_DOUBLE, MPI_STATUS_IGNORE));
        CHECK(memcmp(in, out, sizeof in) == 0);
        io_close(&f);
    }
}

static void unsupported(void)
{
    MPI_File f = io_open(10);
    const char *const wrong[] = { "", "nativ", "native ", "External32", "mine" };

    for (int i = 0; i < 5; i++)
        EXPECT(MPI_ERR_UNSUPPORTED_DATAREP,
               MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, wrong[i], MPI_INFO_NULL));
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 4);
    native_and_internal();
    unsupported();
    integers();
    floating();
    if (starling())
        other_sizes();
    for (enum form form = 0; form < FORMS; form++)
        if (starling() || !nonblocking(form)) /* MPICH 4.0 does not convert in those */
            holes(form);
    io_end();
    return 0;
}
