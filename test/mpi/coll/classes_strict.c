/* classes_strict.c — C05: with STARLING_CHECK=strict predefined operations take the types that
 * the standard says, and refuse all others with MPI_ERR_OP.
 *
 * Only for Starling: an error of MPICH 4.0 may come after other processes have started the
 * operation. */
#include "classes.h"

int main(int argc, char **argv)
{
    setenv("STARLING_CHECK", "strict", 1);
    MPI_Init(&argc, &argv);
    test_all(true);
    MPI_Finalize();
    return 0;
}
