/* packing.c — positions in a packing unit, several messages in one, its size (D10). */
#include "mpitest.h"

/* Two packed together are received as one message of MPI_PACKED, and unpacked one by one. */
static void several(void)
{
    int count = 3, read = 0, at = 0, size;
    double x[5] = { 1, 2, 3, 4, 5 }, y[5] = { 0 };
    char out[100], in[100];
    MPI_Datatype every_other;

    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    memset(out, '#', sizeof out);
    MPI_Pack(&count, 1, MPI_INT, out, 90, &at, MPI_COMM_SELF);
    MPI_Pack(x, 1, every_other, out, 90, &at, MPI_COMM_SELF);
    MPI_Pack_size(1, every_other, MPI_COMM_SELF, &size);
    CHECK(at <= size + (int) sizeof count + 8);
    CHECK_INT(out[at], '#');
    MPI_Sendrecv(out, at, MPI_PACKED, 0, 0, in, 100, MPI_PACKED, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    int from = 0;
    MPI_Unpack(in, at, &from, &read, 1, MPI_INT, MPI_COMM_SELF);
    CHECK_INT(read, 3);
    MPI_Unpack(in, at, &from, y, 1, every_other, MPI_COMM_SELF);
    CHECK_INT(from, at);
    CHECK(y[0] == 1 && y[1] == 0 && y[2] == 3 && y[3] == 0 && y[4] == 5);
    MPI_Type_free(&every_other);
}

/* The buffer may be as small as the packed data; 0 elements move nothing. */
static void exactly_as_large(void)
{
    int room, at = 0, from = 0, in[4] = { 0 }, none = 7;
    const int out[4] = { 1, 2, 3, 4 };

    MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &room);
    char *packed = mpitest_memory((size_t) room);
    MPI_Pack(out, 4, MPI_INT, packed, room, &at, MPI_COMM_WORLD);
    MPI_Pack(out, 0, MPI_INT, packed, room, &at, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        MPI_Unpack(packed, at, &from, &in[i], 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_INT(from, at);
    CHECK(!memcmp(in, out, sizeof in));
    MPI_Unpack(packed, at, &from, &none, 0, MPI_INT, MPI_COMM_WORLD);
    CHECK_INT(from, at);
    CHECK_INT(none, 7);
    free(packed);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    several();
    exactly_as_large();
    MPI_Finalize();
    return 0;
}
