/* f08_names.c — constants that programs compiled with MPICH's mpi_f08 name: libmpi has them, and a
 * program's own take their place (§17.1.2). */
#include <dlfcn.h>
#include "mpi/core/hooks.h"
#include "mpitest.h"

int MPIR_F08_MPI_IN_PLACE; /* as an executable has it */
MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ;

static void *in_libmpi(const char *name)
{
    Dl_info where;
    void *lib = NULL;

    if (dladdr(dlsym(RTLD_DEFAULT, "PMPI_Send"), &where))
        lib = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    CHECK(lib);
    void *p = dlsym(lib, name);
    CHECK(p);
    return p;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK(in_libmpi("MPIR_F08_MPI_IN_PLACE") != (void *) &MPIR_F08_MPI_IN_PLACE);
    CHECK(dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_BOTTOM") == (void *) &MPIR_F08_MPI_BOTTOM);
    CHECK(in_libmpi("MPIR_F08_MPI_STATUS_IGNORE_OBJ") != &MPIR_F08_MPI_STATUS_IGNORE_OBJ);
    CHECK(in_libmpi("MPIR_F08_MPI_STATUSES_IGNORE_OBJ"));
    CHECK(MPIR_C_MPI_UNWEIGHTED == MPI_UNWEIGHTED && MPI_UNWEIGHTED);
    CHECK(MPIR_C_MPI_WEIGHTS_EMPTY == MPI_WEIGHTS_EMPTY && MPI_WEIGHTS_EMPTY != MPI_UNWEIGHTED);

    /* The Fortran library sets these when it is loaded, before MPI_Init. */
    MPI_Fint ignore[5] = { 0 };
    MPI_Status s = { .MPI_TAG = 4 };
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(!MPI_F_STATUS_IGNORE && !MPI_F08_STATUS_IGNORE);
    CHECK_INT(MPI_Status_c2f(&s, ignore), MPI_SUCCESS);
    MPI_F_STATUS_IGNORE = ignore;
    MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
    CHECK(MPI_Status_f2c(ignore, &s) != MPI_SUCCESS);
    CHECK(MPI_Status_f082c(&MPIR_F08_MPI_STATUS_IGNORE_OBJ, &s) != MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
