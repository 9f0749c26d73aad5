/* pack.c — D10: packing units. Values of several types and counts at moving positions; sent as
 * MPI_PACKED and received with their types, and the other way round; MPI_Pack_size is enough. */
#include "mpitest.h"

static int rank, size, next, previous;

struct values {
    int i;
    double d[3];
    char text[8];
};

static struct values values_of(int sender)
{
    struct values v = { .i = sender * 7 + 1, .d = { sender, sender / 4.0, -sender } };

    snprintf(v.text, sizeof v.text, "rank%d", sender);
    return v;
}

static void check_values(const struct values *v, int sender)
{
    struct values e = values_of(sender);

    CHECK_INT(v->i, e.i);
    CHECK(memcmp(v->d, e.d, sizeof e.d) == 0);
    CHECK(strcmp(v->text, e.text) == 0);
}

/* Room that the sum of the upper bounds gives (4.2). */
static int room_for_values(void)
{
    int i = -1, d = -1, c = -1;

    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &i);
    MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &d);
    MPI_Pack_size(8, MPI_CHAR, MPI_COMM_WORLD, &c);
    CHECK(i >= 4 && d >= 24 && c >= 8);
    return i + d + c;
}

static int pack_values(const struct values *v, char *packed, int room, int at)
{
    int from = at;

    MPI_Pack(&v->i, 1, MPI_INT, packed, room, &at, MPI_COMM_WORLD);
    CHECK(at > from);
    MPI_Pack(v->d, 3, MPI_DOUBLE, packed, room, &at, MPI_COMM_WORLD);
    MPI_Pack(NULL, 0, MPI_DOUBLE, packed, room, &at,
             MPI_COMM_WORLD); /* packing 0 elements is allowed */
    MPI_Pack(v->text, 8, MPI_CHAR, packed, room, &at, MPI_COMM_WORLD);
    CHECK(at <= room);
    return at;
}

static MPI_Datatype values_type(void)
{
    static struct values v;
    MPI_Aint base, disp[3];
    MPI_Datatype type;

    MPI_Get_address(&v, &base);
    MPI_Get_address(&v.i, &disp[0]);
    MPI_Get_address(v.d, &disp[1]);
    MPI_Get_address(v.text, &disp[2]);
    for (int i = 0; i < 3; i++)
        disp[i] = MPI_Aint_diff(disp[i], base);
    MPI_Type_create_struct(3, (int[]) { 1, 3, 8 }, disp,
                           (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE, MPI_CHAR }, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Data packed in segments are unpacked in other segments. */
static void unpack_otherwise(const char *packed, int len)
{
    struct values v;
    int at = 0;

    memset(&v, 0, sizeof v);
    MPI_Unpack(packed, len, &at, &v.i, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        MPI_Unpack(packed, len, &at, &v.d[i], 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(packed, len, &at, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(packed, len, &at, v.text, 3, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Unpack(packed, len, &at, v.text + 3, 5, MPI_CHAR, MPI_COMM_WORLD);
    CHECK_INT(at, len);
    check_values(&v, previous);
}

static void units(void)
{
    struct values mine = values_of(rank), v;
    int room = room_for_values(), len, got = -1;
    char *out = mpitest_memory((size_t) room), *in = mpitest_memory((size_t) room);
    MPI_Datatype type = values_type();
    MPI_Status status;

    len = pack_values(&mine, out, room, 0);
    MPI_Sendrecv(out, len, MPI_PACKED, next, 1, in, room, MPI_PACKED, previous, 1, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_PACKED, &got);
    CHECK_INT(got, len);
    unpack_otherwise(in, got);
    memset(&v, 0, sizeof v);
    MPI_Sendrecv(out, len, MPI_PACKED, next, 2, &v, 1, type, previous, 2, MPI_COMM_WORLD, &status);
    check_values(&v, previous);
    memset(in, 0xa5, (size_t) room);
    MPI_Sendrecv(&mine, 1, type, next, 3, in, room, MPI_PACKED, previous, 3, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_PACKED, &got);
    unpack_otherwise(in, got);
    MPI_Type_free(&type);
    free(out);
    free(in);
}

/* A packing unit within a larger buffer starts where position says; bytes around it stay. */
static void positions(void)
{
    struct values mine = values_of(rank);
    int room = room_for_values() + 50, from = 13, at = from, len;
    char *packed = mpitest_memory((size_t) room);

    len = pack_values(&mine, packed, room, from) - from;
    for (int i = 0; i < from; i++)
        CHECK_INT((unsigned char) packed[i], 0xa5);
    for (int i = from + len; i < room; i++)
        CHECK_INT((unsigned char) packed[i], 0xa5);
    struct values v = { 0 };
    MPI_Unpack(packed, room, &at, &v.i, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(packed, room, &at, v.d, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(packed, room, &at, v.text, 8, MPI_CHAR, MPI_COMM_WORLD);
    CHECK_INT(at, from + len);
    check_values(&v, rank);
    free(packed);
}

/* An upper bound for every type and count, also of what is large. */
static void sizes(void)
{
    MPI_Datatype vector, mixed = values_type();
    int room = -1, at = 0;

    MPI_Type_vector(100, 3, 7, MPI_SHORT, &vector);
    MPI_Type_commit(&vector);
    MPI_Pack_size(0, mixed, MPI_COMM_WORLD, &room);
    CHECK(room >= 0);
    MPI_Pack_size(50, vector, MPI_COMM_WORLD, &room);
    CHECK(room >= 50 * 600);
    short *array = mpitest_memory(50 * 700 * sizeof *array);
    char *packed = mpitest_memory((size_t) room);
    MPI_Pack(array, 50, vector, packed, room, &at, MPI_COMM_WORLD);
    CHECK(at >= 50 * 600 && at <= room);
    free(array);
    free(packed);
    MPI_Type_free(&vector);
    MPI_Type_free(&mixed);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    units();
    positions();
    sizes();
    MPI_Finalize();
    return 0;
}
