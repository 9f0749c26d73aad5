/* legacy.c — a program of the 1990s: deprecated and removed functions must cause no warning. */
#include <stdio.h>
#include <mpi.h>

struct particle {
    double position[3];
    int kind;
};

static void complain(MPI_Comm *comm, int *code, ...)
{
    if (*comm == MPI_COMM_NULL)
        MPI_Abort(MPI_COMM_WORLD, *code);
}

static MPI_Datatype particle_type(void)
{
    struct particle p[2];
    MPI_Datatype types[3] = { MPI_DOUBLE, MPI_INT, MPI_UB }, t;
    int lengths[3] = { 3, 1, 1 };
    MPI_Aint where[3];

    MPI_Address(p[0].position, &where[0]);
    MPI_Address(&p[0].kind, &where[1]);
    MPI_Address(&p[1], &where[2]);
    for (int i = 2; i >= 0; i--)
        where[i] -= where[0];
    MPI_Type_struct(3, lengths, where, types, &t);
    MPI_Type_commit(&t);
    return t;
}

static void bounds(MPI_Datatype t)
{
    MPI_Aint lb, ub, extent;
    MPI_Datatype strided;

    MPI_Type_hvector(2, 1, 3 * sizeof(struct particle), t, &strided);
    MPI_Type_lb(strided, &lb);
    MPI_Type_ub(strided, &ub);
    MPI_Type_extent(strided, &extent);
    if (extent != ub - lb)
        printf("extent %ld\n", (long) extent);
    MPI_Type_free(&strided);
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;
    MPI_Handler_function *handler = complain;
    int keyval, flag, *ub, half = MPI_UNDEFINED;
    MPI_Datatype t;

    MPI_Init(&argc, &argv);
    MPI_Errhandler_create(handler, &h);
    MPI_Errhandler_set(MPI_COMM_WORLD, h);
    MPI_Errhandler_free(&h);
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &keyval, NULL);
    MPI_Attr_put(MPI_COMM_WORLD, keyval, &half);
    MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
    MPI_Attr_delete(MPI_COMM_WORLD, keyval);
    MPI_Keyval_free(&keyval);
    t = particle_type();
    bounds(t);
    MPI_Type_free(&t);
    MPI_Finalize();
    return 0;
}
