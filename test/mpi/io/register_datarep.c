/* register_datarep.c — F11: names of representations that are taken or too long. */
#include "io.h"

static int extent(MPI_Datatype type, MPI_Aint *file_extent, void *extra_state)
{
    MPI_Aint lb;

    (void) extra_state;
    return MPI_Type_get_extent(type, &lb, file_extent);
}

static int add(const char *name)
{
    return MPI_Register_datarep(name, MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, NULL);
}

int main(int argc, char **argv)
{
    char name[MPI_MAX_DATAREP_STRING + 10] = "";

    io_init(&argc, &argv);
    CHECK(MPI_MAX_DATAREP_STRING >= 64);
    OK(add("first"));
    OK(add("second"));
    EXPECT(MPI_ERR_DUP_DATAREP, add("first"));
    EXPECT(MPI_ERR_DUP_DATAREP, add("second"));
    OK(add("First"));
    memset(name, 'x', 63);
    OK(add(name));
    EXPECT(MPI_ERR_DUP_DATAREP, add(name));
    memset(name, 'x', sizeof name - 1);
    CHECK(add(name) != MPI_SUCCESS);
    io_end();
    return 0;
}
