/* elements_more.c — P07, D09, D15: elements of structs, pairs and empty types, whole and in part.
 *
 * MPICH 4.0 fails: it crashes with empty types, MPI_FLOAT_INT and darrays, and miscounts pairs. */
#include "mpitest.h"

static void check(MPI_Status status, MPI_Datatype type, int count, int elements)
{
    MPI_Count x = -1;
    int n = -1;

    MPI_Get_count(&status, type, &n);
    CHECK_INT(n, count);
    n = -1;
    MPI_Get_elements(&status, type, &n);
    CHECK_INT(n, elements);
    MPI_Get_elements_x(&status, type, &x);
    CHECK_INT(x, elements);
}

/* Sets the status that the first elements of a message with this type map would have. */
static MPI_Status status_of(int elements, MPI_Datatype type)
{
    MPI_Status status;

    memset(&status, 0, sizeof status);
    MPI_Status_set_cancelled(&status, 0);
    MPI_Status_set_elements(&status, type, elements);
    return status;
}

static void structs(void)
{
    MPI_Datatype inner, type;
    struct {
        double d;
        int i;
        char c[3];
    } out[2] = { 0 }, in[2];
    MPI_Status status;

    MPI_Type_create_struct(3, (int[]) { 1, 1, 3 }, (MPI_Aint[]) { 0, 8, 12 },
                           (MPI_Datatype[]) { MPI_DOUBLE, MPI_INT, MPI_CHAR }, &inner);
    MPI_Type_create_resized(inner, 0, sizeof out[0], &type);
    MPI_Type_commit(&type);
    for (int n = 0; n <= 20; n++)
        check(status_of(n, type), type, n % 5 ? MPI_UNDEFINED : n / 5, n);
    for (int part = 1; part < 3; part++) { /* one element and the first members of the next */
        MPI_Datatype some;

        MPI_Type_create_struct(3, (int[]) { 1, 1, 1 },
                               (MPI_Aint[]) { 0, sizeof out[0], sizeof out[0] + 8 },
                               (MPI_Datatype[]) { inner, MPI_DOUBLE, MPI_INT }, &some);
        if (part == 1) {
            MPI_Type_free(&some);
            MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, sizeof out[0] },
                                   (MPI_Datatype[]) { inner, MPI_DOUBLE }, &some);
        }
        MPI_Type_commit(&some);
        MPI_Sendrecv(out, 1, some, 0, 1, in, 2, type, 0, 1, MPI_COMM_SELF, &status);
        check(status, type, MPI_UNDEFINED, 5 + part);
        MPI_Type_free(&some);
    }
    MPI_Type_free(&inner);
    MPI_Type_free(&type);
}

static void pairs(void)
{
    const MPI_Datatype all[] = { MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,
                                 MPI_SHORT_INT, MPI_2INT,       MPI_LONG_DOUBLE_INT };
    char out[128] = "", in[128];

    for (int i = 0; i < 6; i++) {
        MPI_Datatype three, mixed;
        MPI_Status status;

        MPI_Sendrecv(out, 3, all[i], 0, 1, in, 3, all[i], 0, 1, MPI_COMM_SELF, &status);
        check(status, all[i], 3, 6);
        MPI_Type_contiguous(3, all[i], &three);
        MPI_Type_commit(&three);
        check(status, three, 1, 6);
        check(status_of(5, three), three, MPI_UNDEFINED, 5); /* a value without its index */
        MPI_Type_create_struct(2, (int[]) { 1, 2 }, (MPI_Aint[]) { 0, 8 },
                               (MPI_Datatype[]) { MPI_CHAR, all[i] }, &mixed);
        MPI_Type_commit(&mixed);
        for (int n = 0; n <= 15; n++)
            check(status_of(n, mixed), mixed, n % 5 ? MPI_UNDEFINED : n / 5, n);
        MPI_Type_free(&three);
        MPI_Type_free(&mixed);
    }
}

static void empty(void)
{
    MPI_Datatype none, nones, empty_struct;
    MPI_Status status;

    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_vector(3, 4, 9, none, &nones);
    MPI_Type_create_struct(0, NULL, NULL, NULL, &empty_struct);
    MPI_Type_commit(&none);
    MPI_Type_commit(&nones);
    MPI_Type_commit(&empty_struct);
    MPI_Sendrecv(NULL, 7, nones, 0, 1, NULL, 8, empty_struct, 0, 1, MPI_COMM_SELF, &status);
    check(status, nones, 0, 0);
    check(status, none, 0, 0);
    check(status, empty_struct, 0, 0);
    check(status, MPI_INT, 0, 0);
    MPI_Type_free(&none);
    MPI_Type_free(&nones);
    MPI_Type_free(&empty_struct);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    structs();
    pairs();
    empty();
    MPI_Finalize();
    return 0;
}
