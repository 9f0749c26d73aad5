/* property.c — 10000 random trees of type constructors do what their type maps say (property.h). */
#include "property.h"

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    property(argc, argv, size == 1 ? 10000 : 1500);
    MPI_Finalize();
    return 0;
}
