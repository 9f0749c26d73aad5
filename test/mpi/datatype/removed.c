/* removed.c — the forms of MPI-1 that MPI 3.0 removed and the library still has: they do the same
 * as the new ones, and the envelopes of their types have the new combiners (D07). */
#include "mpitest.h"

/* Some mpi.h no longer declare them. */
int MPI_Address(void *location, MPI_Aint *address);
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype);
int MPI_Type_hindexed(int count, int blocklengths[], MPI_Aint displacements[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype);
int MPI_Type_struct(int count, int blocklengths[], MPI_Aint displacements[], MPI_Datatype types[],
                    MPI_Datatype *newtype);
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent);
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement);

static void check(MPI_Datatype *type, int combiner, MPI_Aint lb, MPI_Aint ub)
{
    int ints, aints, types, is = -1;
    MPI_Aint l = -99, u = -99, extent = -99;

    MPI_Type_get_envelope(*type, &ints, &aints, &types, &is);
    CHECK_INT(is, combiner);
    MPI_Type_lb(*type, &l);
    CHECK_INT(l, lb);
    MPI_Type_ub(*type, &u);
    CHECK_INT(u, ub);
    MPI_Type_extent(*type, &extent);
    CHECK_INT(extent, ub - lb);
    MPI_Type_commit(type);
}

static void check_free(MPI_Datatype *type, int combiner, MPI_Aint lb, MPI_Aint ub)
{
    check(type, combiner, lb, ub);
    MPI_Type_free(type);
}

static void constructors(void)
{
    int length[] = { 2, 1 };
    MPI_Aint disp[] = { 4, -8 };
    MPI_Datatype both[] = { MPI_INT, MPI_DOUBLE }, type;

    MPI_Type_hvector(3, 2, -20, MPI_INT, &type);
    check_free(&type, MPI_COMBINER_HVECTOR, -40, 8);
    MPI_Type_hindexed(2, length, disp, MPI_INT, &type);
    check_free(&type, MPI_COMBINER_HINDEXED, -8, 12);
    MPI_Type_struct(2, length, disp, both, &type);
    check_free(&type, MPI_COMBINER_STRUCT, -8, 16); /* with epsilon */
    MPI_Type_create_resized(MPI_INT, -3, 9, &type);
    check_free(&type, MPI_COMBINER_RESIZED, -3, 6);
}

/* A message by absolute addresses, as programs of that time send it. */
static void message(void)
{
    struct {
        int i;
        double d[2];
    } out = { 5, { 1.5, -2.5 } }, in = { 0, { 0, 0 } };
    int length[] = { 1, 2 };
    MPI_Aint from[2], to[2];
    MPI_Datatype both[] = { MPI_INT, MPI_DOUBLE }, sent, received;

    MPI_Address(&out.i, &from[0]);
    MPI_Address(out.d, &from[1]);
    MPI_Address(&in.i, &to[0]);
    MPI_Address(in.d, &to[1]);
    MPI_Type_struct(2, length, from, both, &sent);
    MPI_Type_struct(2, length, to, both, &received);
    MPI_Type_commit(&sent);
    MPI_Type_commit(&received);
    MPI_Sendrecv(MPI_BOTTOM, 1, sent, 0, 1, MPI_BOTTOM, 1, received, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK(in.i == 5 && in.d[0] == 1.5 && in.d[1] == -2.5);
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    constructors();
    message();
    MPI_Finalize();
    return 0;
}
