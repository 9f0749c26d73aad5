/* classes.c — C05: predefined operations take what the standard says, and what MPICH and Open MPI
 * take; all else is refused with MPI_ERR_OP.
 *
 * Only for Starling: an error of MPICH 4.0 may come after the others have begun. */
#include "classes.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_all(false);
    MPI_Finalize();
    return 0;
}
