/* removed.c — functions that MPI-3.0 removed, whose addresses are INTEGERs in Fortran: one that
 * does not fit is an error, since a cut address would be another one. */
#include <stdio.h>
#include "mpi/fortran/handwritten.h"

static int removed_fail(const struct mpir_arguments *call, int errclass, const char *text)
{
    MPIR_Arguments(call);
    int err = MPIR_Error(call->call, MPIR_ON_TYPE, MPI_DATATYPE_NULL, errclass, text);
    MPIR_Arguments(NULL);
    return err;
}

/* Sets *to to value, which is the result of a call with one argument. */
static int address_narrow(struct mpir_arguments call, const void *argument, MPI_Aint value,
                          MPI_Fint *to)
{
    const void *values[] = { argument, to };
    char text[100];

    if (value == (MPI_Fint) value) {
        *to = (MPI_Fint) value;
        return MPI_SUCCESS;
    }
    call.values = values;
    (void) snprintf(text, sizeof text, "%lld does not fit an INTEGER: use %s", (long long) value,
                    strcmp(call.call, "MPI_Address") != 0 ? "MPI_TYPE_GET_EXTENT"
                                                          : "MPI_GET_ADDRESS");
    return removed_fail(&call, MPI_ERR_ARG, text);
}

int f_address(F_CALL(MPI_Address), void *location, MPI_Fint *address)
{
    const struct mpir_arguments names = { "MPI_Address", "location, address", NULL };
    MPI_Aint value;
    int err = call(f_buffer(location), &value);

    if (!err)
        err = address_narrow(names, f_buffer(location), value, address);
    return err;
}

int f_type_extent(F_CALL(MPI_Type_extent), MPI_Fint *type, MPI_Fint *extent)
{
    const struct mpir_arguments names = { "MPI_Type_extent", "datatype, extent", NULL };
    MPI_Aint value;
    int err = call(*type, &value);

    if (!err)
        err = address_narrow(names, type, value, extent);
    return err;
}

int f_type_lb(F_CALL(MPI_Type_lb), MPI_Fint *type, MPI_Fint *displacement)
{
    const struct mpir_arguments names = { "MPI_Type_lb", "datatype, displacement", NULL };
    MPI_Aint value;
    int err = call(*type, &value);

    if (!err)
        err = address_narrow(names, type, value, displacement);
    return err;
}

int f_type_ub(F_CALL(MPI_Type_ub), MPI_Fint *type, MPI_Fint *displacement)
{
    const struct mpir_arguments names = { "MPI_Type_ub", "datatype, displacement", NULL };
    MPI_Aint value;
    int err = call(*type, &value);

    if (!err)
        err = address_narrow(names, type, value, displacement);
    return err;
}

int f_type_hvector(F_CALL(MPI_Type_hvector), MPI_Fint *count, MPI_Fint *blocklength,
                   MPI_Fint *stride, MPI_Fint *oldtype, MPI_Fint *newtype)
{
    return call(*count, *blocklength, *stride, *oldtype, newtype);
}

/* The displacements as C has them. NULL: no memory. */
static MPI_Aint *displacements_widen(MPI_Fint count, const MPI_Fint *displacements)
{
    MPI_Aint *wide = malloc((count > 0 ? (size_t) count : 1) * sizeof *wide);

    for (MPI_Fint i = 0; wide && i < count; i++)
        wide[i] = displacements[i];
    return wide;
}

static int displacements_fail(const char *name, const MPI_Fint *count)
{
    const void *values[] = { count };
    struct mpir_arguments call = { name, "count", values };

    return removed_fail(&call, MPI_ERR_NO_MEM, "no memory for the displacements");
}

int f_type_hindexed(F_CALL(MPI_Type_hindexed), MPI_Fint *count, MPI_Fint *blocklengths,
                    MPI_Fint *displacements, MPI_Fint *oldtype, MPI_Fint *newtype)
{
    MPI_Aint *wide = displacements_widen(*count, displacements);

    if (!wide)
        return displacements_fail("MPI_Type_hindexed", count);
    int err = call(*count, blocklengths, wide, *oldtype, newtype);
    free(wide);
    return err;
}

int f_type_struct(F_CALL(MPI_Type_struct), MPI_Fint *count, MPI_Fint *blocklengths,
                  MPI_Fint *displacements, MPI_Fint *types, MPI_Fint *newtype)
{
    MPI_Aint *wide = displacements_widen(*count, displacements);

    if (!wide)
        return displacements_fail("MPI_Type_struct", count);
    int err = call(*count, blocklengths, wide, types, newtype);
    free(wide);
    return err;
}
