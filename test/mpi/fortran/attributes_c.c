/* attributes_c.c — C's view of attributes.f. */
#include "mpi.h"

MPI_Aint c_get_(MPI_Fint *keyval, MPI_Fint *bytes);
void c_set_(MPI_Fint *keyval);
MPI_Aint c_value_(void);
void c_dup_(MPI_Fint *comm, MPI_Fint *copy);
void c_replace_(MPI_Fint *comm, MPI_Fint *keyval);
MPI_Aint c_tag_ub_(void);

static int variable;

/* Of Fortran's attributes C sees the address. */
MPI_Aint c_get_(MPI_Fint *keyval, MPI_Fint *bytes)
{
    void *value;
    int flag;

    MPI_Comm_get_attr(MPI_COMM_SELF, *keyval, &value, &flag);
    if (!flag)
        return 0;
    return *bytes == 8 ? *(MPI_Aint *) value : *(int *) value;
}

void c_set_(MPI_Fint *keyval) { MPI_Comm_set_attr(MPI_COMM_SELF, *keyval, &variable); }

MPI_Aint c_value_(void) { return (MPI_Aint) &variable; }

void c_dup_(MPI_Fint *comm, MPI_Fint *copy)
{
    MPI_Comm made;

    MPI_Comm_dup(MPI_Comm_f2c(*comm), &made);
    *copy = MPI_Comm_c2f(made);
}

void c_replace_(MPI_Fint *comm, MPI_Fint *keyval)
{
    MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, &variable);
}

MPI_Aint c_tag_ub_(void)
{
    int *value, flag;

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    return *value;
}
