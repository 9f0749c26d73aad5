/* names.c — §8.1.2: the processor's name is a string with its length. */
#include <string.h>
#include "mpitest.h"

int main(int argc, char **argv)
{
    char name[MPI_MAX_PROCESSOR_NAME], again[MPI_MAX_PROCESSOR_NAME];
    int len = -1;

    MPI_Init(&argc, &argv);
    memset(name, 'x', sizeof name);
    CHECK(MPI_Get_processor_name(name, &len) == MPI_SUCCESS);
    CHECK(len > 0 && len < MPI_MAX_PROCESSOR_NAME);
    CHECK_INT(strlen(name), len);
    CHECK(PMPI_Get_processor_name(again, &len) == MPI_SUCCESS);
    CHECK(strcmp(name, again) == 0);
    MPI_Finalize();
    return 0;
}
