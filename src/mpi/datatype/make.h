/* make.h — what the constructors of datatypes share: their arguments, and the contents they
 * make. */
#ifndef MAKE_H
#define MAKE_H

#include "mpir.h"

/* Some of the integers of a call. */
struct type_ints {
    const int *v;
    int n;
};

/* Makes a type for the user; the contents's integers are those of n lists, one behind the other. */
int type_make(struct adi3_contents r, const struct type_ints list[], int n, MPI_Datatype *newtype);
/* MPI_Type_create_struct, with its arguments checked. */
int type_make_struct(int count, const int lens[], const MPI_Aint displacements[],
                     const MPI_Datatype types[], MPI_Datatype *newtype);
/* MPI_Type_create_hindexed and MPI_Type_create_hvector, likewise. */
int type_make_hindexed(int count, const int lens[], const MPI_Aint displacements[],
                       struct adi3_type *old, MPI_Datatype *newtype);
int type_make_hvector(int count, int blocklength, MPI_Aint stride, struct adi3_type *old,
                      MPI_Datatype *newtype);

/* What the user gets for a type just made. */
void type_give(struct adi3_type *made, MPI_Datatype *newtype);

int type_lens_arg(const int lens[], int count); /* array_of_blocklengths */
int type_types_arg(const MPI_Datatype types[], int count, const char *what);

/* Of arrays: n numbers, at least this large. */
int type_dims_arg(int n);
int type_sizes_arg(const int v[], int n, int least, const char *what);
int type_order_arg(int order);

#endif /* MAKE_H */
