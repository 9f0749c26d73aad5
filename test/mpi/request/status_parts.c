/* status_parts.c — X02, P07: elements set with a derived type are its basic ones, in its order: an
 * int and two doubles make one of a struct.
 *
 * MPICH 4.0 fails: it takes the number of elements for one of whole types. */
#include "mpitest.h"

static void check(const MPI_Status *status, MPI_Datatype type, int elements, int count)
{
    MPI_Count x = -1;
    int n = -1;

    CHECK_INT(MPI_Get_elements_x(status, type, &x), MPI_SUCCESS);
    CHECK_INT(x, elements);
    CHECK_INT(MPI_Get_elements(status, type, &n), MPI_SUCCESS);
    CHECK_INT(n, elements);
    CHECK_INT(MPI_Get_count(status, type, &n), MPI_SUCCESS);
    CHECK_INT(n, count);
}

/* The count is defined for whole elements only. */
static void derived(void)
{
    MPI_Datatype three, twice, mixed;
    MPI_Status status;

    memset(&status, 0, sizeof status);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_vector(2, 1, 5, three, &twice);
    MPI_Type_create_struct(2, (int[]) { 1, 2 }, (MPI_Aint[]) { 0, 8 },
                           (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE }, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Type_commit(&three);
    MPI_Type_commit(&twice);
    for (int n = 0; n < 40; n++) {
        MPI_Status_set_elements(&status, three, n);
        check(&status, three, n, n % 3 ? MPI_UNDEFINED : n / 3);
        MPI_Status_set_elements_x(&status, twice, n);
        check(&status, twice, n, n % 6 ? MPI_UNDEFINED : n / 6);
        MPI_Status_set_elements_x(&status, mixed, n);
        check(&status, mixed, n, n % 3 ? MPI_UNDEFINED : n / 3);
    }
    MPI_Type_free(&three);
    MPI_Type_free(&twice);
    MPI_Type_free(&mixed);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    derived();
    MPI_Finalize();
    return 0;
}
