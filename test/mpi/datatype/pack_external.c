/* pack_external.c — external32 through the interface: sizes, bytes, positions (D11). */
#include "mpitest.h"

static void sizes(void)
{
    const struct {
        MPI_Datatype type;
        int size;
    } some[] = { { MPI_CHAR, 1 },   { MPI_SHORT, 2 },  { MPI_INT, 4 },    { MPI_LONG_LONG, 8 },
                 { MPI_FLOAT, 4 },  { MPI_DOUBLE, 8 }, { MPI_INT8_T, 1 }, { MPI_UINT16_T, 2 },
                 { MPI_BYTE, 1 },   { MPI_AINT, 8 },   { MPI_COUNT, 8 },  { MPI_OFFSET, 8 },
                 { MPI_C_BOOL, 1 }, { MPI_PACKED, 1 } };

    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        MPI_Aint size;
        MPI_Pack_external_size("external32", 3, some[i].type, &size);
        CHECK_INT(size, 3 * some[i].size);
    }
}

/* Every second number, behind one that is packed already. */
static void positions(void)
{
    const int out[6] = { 0x01020304, 0, -1, 0, 5, 0 };
    const unsigned char want[] = "\7\7\1\2\3\4\xff\xff\xff\xff\0\0\0\5##";
    unsigned char bytes[16];
    const short first = 0x0707;
    int in[6] = { 9, 9, 9, 9, 9, 9 };
    MPI_Aint position = 0, size;
    MPI_Datatype type;

    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Pack_external_size("external32", 2, type, &size);
    CHECK_INT(size, 24);
    memset(bytes, '#', sizeof bytes);
    MPI_Pack_external("external32", &first, 1, MPI_SHORT, bytes, 16, &position);
    CHECK_INT(position, 2);
    MPI_Pack_external("external32", out, 1, type, bytes, 16, &position);
    CHECK_INT(position, 14);
    CHECK(!memcmp(bytes, want, sizeof bytes));
    position = 2;
    MPI_Unpack_external("external32", bytes, 14, &position, in, 1, type);
    CHECK_INT(position, 14);
    CHECK(in[0] == out[0] && in[2] == out[2] && in[4] == out[4]);
    CHECK(in[1] == 9 && in[3] == 9 && in[5] == 9);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sizes();
    positions();
    MPI_Finalize();
    return 0;
}
