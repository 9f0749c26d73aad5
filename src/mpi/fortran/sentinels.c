/* sentinels.c — what is known by its address: COMMON blocks and variables of mpi_f08.
 *
 * A Fortran program defines the COMMON blocks too, and its own are then meant here. */
#include "mpi/fortran/fortran.h"

/* Compilers align COMMON blocks to 16 or 32 bytes; the linker warns of less. */
#define COMMON __attribute__((aligned(32)))
COMMON struct f_priv1 mpipriv1_;
COMMON struct f_priv2 mpipriv2_;
COMMON struct f_privc mpiprivc_;
COMMON MPI_Fint mpifcmb5_, mpifcmb9_;

/* Modules declare these with BIND(C): each module that a compiler makes may define them again. */
__attribute__((weak)) MPI_Fint f08_unweighted, f08_weights_empty, f08_errcodes_ignore;
__attribute__((weak)) char f08_argv_null, f08_argvs_null;

_Static_assert(sizeof(struct f_priv1) == 28 && sizeof(struct f_priv2) == 24
                   && sizeof(struct f_privc) == 2,
               "the sizes that programs have");

/* For MPI_Status_f2c() and its kin, which a C program may call before MPI_Init. */
__attribute__((constructor)) static void tell_c(void)
{
    MPI_F_STATUS_IGNORE = mpipriv1_.status_ignore;
    MPI_F_STATUSES_IGNORE = mpipriv2_.statuses_ignore;
    MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
    MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
}
