/* classes.c — C05: predefined operations take the types that the standard or MPICH takes; they
 * refuse all others with MPI_ERR_OP.
 *
 * Only for Starling: an error of MPICH 4.0 may come after other processes have started the
 * operation. */
#include "classes.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_all(false);
    MPI_Finalize();
    return 0;
}
