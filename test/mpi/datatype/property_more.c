/* property_more.c — as property.c, with what MPICH 4.0 fails to do: empty types in others (D04),
 * ub_markers among unmarked types (D02), pairs within which a message ends (P05, P07, D15), the
 * elements of pairs within structs, bytes that pad long double.
 *
 * Its own file, because MPICH 4.0 fails it. */
#include "property.h"

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dice.oddities = true;
    property(argc, argv, size == 1 ? 10000 : 1500);
    MPI_Finalize();
    return 0;
}
