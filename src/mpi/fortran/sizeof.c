/* sizeof.c — MPI_SIZEOF (17.1.9).
 *
 * Both modules know MPI_SIZEOF as one procedure for all types, kinds and ranks: the compiler passes
 * a descriptor, which says how large an element is. MPICH has a procedure for each type instead,
 * which programs compiled with its modules call; those are here, too. */
#include <stddef.h>

/* How each descriptor of the Fortran standard begins (CFI_cdesc_t in 18.5.3 of Fortran 2018). */
struct cdesc {
    void *base_addr;
    size_t elem_len;
};

static void sizeof_set(int *size, int *ierror, size_t len)
{
    *size = (int) len;
    if (ierror)
        *ierror = 0;
}

void MPIR_Sizeof(const struct cdesc *x, int *size, int *ierror);

/* Sets size to the bytes of x or, when x is an array, of one element. */
void MPIR_Sizeof(const struct cdesc *x, int *size, int *ierror)
{
    sizeof_set(size, ierror, x->elem_len);
}

/* The names that gfortran gives to MPICH's; their x is an address or a descriptor. */
#define SIZEOF(NAME, LEN)                                                                          \
    void NAME(const void *x, int *size, int *ierror);                                              \
    void NAME(const void *x, int *size, int *ierror)                                               \
    {                                                                                              \
        (void) x;                                                                                  \
        sizeof_set(size, ierror, LEN);                                                             \
    }
#define OF_MPI(TYPE, LEN)                                                                          \
    SIZEOF(__mpi_sizeofs_MOD_mpi_sizeof_##TYPE, LEN)                                               \
    SIZEOF(__mpi_sizeofs_MOD_mpi_sizeof_##TYPE##v, LEN)
#define OF_F08(TYPE, LEN) SIZEOF(__mpi_f08_types_MOD_mpi_sizeof_##TYPE, LEN)

/* clang-format off */
OF_MPI(i, 4) OF_MPI(i1, 1) OF_MPI(i2, 2) OF_MPI(i8, 8)
OF_MPI(r, 4) OF_MPI(d, 8) OF_MPI(cx, 8) OF_MPI(l, 4) OF_MPI(ch, 1)
OF_F08(xint8, 1) OF_F08(xint16, 2) OF_F08(xint32, 4) OF_F08(xint64, 8)
OF_F08(xreal32, 4) OF_F08(xreal64, 8) OF_F08(xreal128, 16)
OF_F08(xcomplex32, 8) OF_F08(xcomplex64, 16) OF_F08(xcomplex128, 32)
OF_F08(logical, 4) OF_F08(character, 1)
    /* clang-format on */
