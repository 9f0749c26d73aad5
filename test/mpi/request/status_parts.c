/* status_parts.c — X02: elements set with a type of several basic types are counted in its order:
 * an int and two doubles make one.
 *
 * MPICH 4.0 fails: it takes the number of elements for one of whole types. */
#include "mpitest.h"

int main(int argc, char **argv)
{
    MPI_Datatype type;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    memset(&status, 0, sizeof status);
    MPI_Type_create_struct(2, (int[]) { 1, 2 }, (MPI_Aint[]) { 0, 8 },
                           (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE }, &type);
    MPI_Type_commit(&type);
    for (int n = 0; n < 40; n++) {
        MPI_Count x = -1;
        int elements = -1, count = -1;

        if (n % 2)
            MPI_Status_set_elements(&status, type, n);
        else
            MPI_Status_set_elements_x(&status, type, n);
        MPI_Get_elements(&status, type, &elements);
        MPI_Get_elements_x(&status, type, &x);
        MPI_Get_count(&status, type, &count);
        CHECK_INT(elements, n);
        CHECK_INT(x, n);
        CHECK_INT(count, n % 3 ? MPI_UNDEFINED : n / 3);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
