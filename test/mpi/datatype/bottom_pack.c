/* bottom_pack.c — D01: MPI_BOTTOM with absolute addresses in MPI_Pack and MPI_Unpack.
 *
 * MPICH 4.0 fails: it takes MPI_BOTTOM for a null pointer there. */
#include "mpitest.h"

int main(int argc, char **argv)
{
    int out[] = { 11, 22, 33 }, in[] = { 0, 0, 0 }, at = 0;
    double d_out = 0.125, d_in = 0;
    MPI_Aint from[2], to[2];
    MPI_Datatype sent, received;
    char packed[100];

    MPI_Init(&argc, &argv);
    MPI_Get_address(&out[1], &from[0]);
    MPI_Get_address(&d_out, &from[1]);
    MPI_Get_address(&in[0], &to[0]);
    MPI_Get_address(&d_in, &to[1]);
    MPI_Type_create_struct(2, (int[]) { 2, 1 }, from, (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE },
                           &sent);
    MPI_Type_create_struct(2, (int[]) { 2, 1 }, to, (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE },
                           &received);
    MPI_Type_commit(&sent);
    MPI_Type_commit(&received);
    MPI_Pack(MPI_BOTTOM, 1, sent, packed, sizeof packed, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack(packed, sizeof packed, &at, MPI_BOTTOM, 1, received, MPI_COMM_WORLD);
    CHECK_INT(in[0], 22);
    CHECK_INT(in[1], 33);
    CHECK_INT(in[2], 0);
    CHECK(d_in == 0.125);
    MPI_Aint where = 0;
    d_in = 0;
    in[0] = 0;
    MPI_Pack_external("external32", MPI_BOTTOM, 1, sent, packed, sizeof packed, &where);
    CHECK_INT(where, 16);
    where = 0;
    MPI_Unpack_external("external32", packed, sizeof packed, &where, MPI_BOTTOM, 1, received);
    CHECK_INT(in[0], 22);
    CHECK(d_in == 0.125);
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
    MPI_Finalize();
    return 0;
}
