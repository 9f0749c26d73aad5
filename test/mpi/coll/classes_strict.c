/* classes_strict.c — C05: with STARLING_CHECK=strict predefined operations take what the standard
 * says, and refuse the rest with MPI_ERR_OP.
 *
 * Only for Starling: an error of MPICH 4.0 may come after the others have begun. */
#include "classes.h"

int main(int argc, char **argv)
{
    setenv("STARLING_CHECK", "strict", 1);
    MPI_Init(&argc, &argv);
    test_all(true);
    MPI_Finalize();
    return 0;
}
