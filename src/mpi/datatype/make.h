/* make.h — what the constructors of datatypes share: their arguments and the making of contents,
 * which MPI_Type_get_contents returns. */
#ifndef MAKE_H
#define MAKE_H

#include "mpi/mpir.h"

/* Some of the integers of a call. */
struct type_list {
    struct mpir_counts v;
    MPI_Count n;
};

/* Makes a datatype for the user. The integers of its contents are those of n lists, one behind the
 * other. large: by the door with MPI_Count, whose wide lists are among the counts instead. A wide
 * list of an int door is one number. */
int type_make(struct adi3_contents r, const struct type_list list[], int n, bool large,
              MPI_Datatype *newtype);
/* MPI_Type_create_struct, MPI_Type_create_hindexed and MPI_Type_create_hvector after their
 * arguments are checked. */
int type_make_struct(MPI_Count count, struct mpir_counts lens, const MPI_Aint displacements[],
                     const MPI_Datatype types[], MPI_Datatype *newtype);
int type_make_hindexed(MPI_Count count, struct mpir_counts lens, const MPI_Aint displacements[],
                       struct adi3_type *old, MPI_Datatype *newtype);
int type_make_hvector(int count, int blocklength, MPI_Aint stride, struct adi3_type *old,
                      MPI_Datatype *newtype);

/* Sets the user's handle of a new datatype, which has its only reference then. */
void type_return(struct adi3_type *made, MPI_Datatype *newtype);

/* MPI_ERR_TYPE when a call with MPI_Count made the contents, which no ints can hold. */
int type_int_contents_arg(const struct adi3_contents *r);
int type_lens_arg(struct mpir_counts lens, MPI_Count count); /* array_of_blocklengths */
int type_types_arg(const MPI_Datatype types[], MPI_Count count, const char *what);

/* Arguments of array datatypes; sizes are n numbers that are not below `least`. */
int type_dims_arg(int n);
int type_sizes_arg(struct mpir_counts v, int n, int least, const char *what);
int type_order_arg(int order);

#endif /* MAKE_H */
