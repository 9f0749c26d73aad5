#include "mpi/mpir.h"

static int sized_type_find(int typeclass, int size, MPI_Datatype *found)
{
    static const struct {
        int typeclass, size;
        MPI_Datatype type;
    } row[] = {
        { MPI_TYPECLASS_REAL, 4, MPI_REAL4 },         { MPI_TYPECLASS_REAL, 8, MPI_REAL8 },
        { MPI_TYPECLASS_REAL, 16, MPI_REAL16 },       { MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1 },
        { MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2 },   { MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4 },
        { MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8 },   { MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16 },
        { MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8 },   { MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16 },
        { MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32 },
    };
    bool known = false;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        known |= row[i].typeclass == typeclass;
        if (row[i].typeclass == typeclass && row[i].size == size) {
            *found = row[i].type;
            return MPI_SUCCESS;
        }
    }
    if (known)
        return mpir_error(MPI_ERR_ARG, "no type of class %d has %d bytes", typeclass, size);
    return mpir_error(MPI_ERR_ARG,
                      "typeclass %d is not one of MPI_TYPECLASS_REAL, _INTEGER and "
                      "_COMPLEX",
                      typeclass);
}

/* Returns the predefined datatype of a Fortran variable of a class and a size in bytes (§17.1.9).
 * Errors: MPI_ERR_ARG. */
int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    ENTER("MPI_Type_match_size", typeclass, size, datatype);

    TRY(mpir_out_arg(datatype, "datatype"));
    TRY(sized_type_find(typeclass, size, datatype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_match_size);
