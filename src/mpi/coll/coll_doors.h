/* coll_doors.h — the doors of a collective operation: MPI_Bcast, MPI_Ibcast and MPI_Bcast_init.
 *
 * In each operation they differ in the same way: in their last parameters, and in the function that
 * is called with the arguments. So the file of an operation says once what its doors share, before
 * COLL_DOORS, which makes them:
 *
 *     PARAMETERS(Count, Displ)   as in mpi.h; Count is int or MPI_Count, Displ is int or MPI_Aint
 *     ARGUMENTS                  the names of the parameters
 *     COLL_ARGS                  the members of the struct coll_args
 *
 * The comment above PARAMETERS is the manual page of the first door; tools/generate/gen_man.py
 * writes those of the other two. */
#ifndef COLL_DOORS_H
#define COLL_DOORS_H

#include "mpi/coll/coll.h"

#define COLL_ARGS_POINTER (&(const struct coll_args) { COLL_ARGS })

#define COLL_DOORS(operation, Name, Iname, Name_init)                                              \
    int PMPI_##Name(PARAMETERS(int, int))                                                          \
    {                                                                                              \
        ENTER("MPI_" #Name, ARGUMENTS);                                                            \
        TRY(coll_call(&call, &operation, COLL_ARGS_POINTER));                                      \
        return mpir_leave(&call);                                                                  \
    }                                                                                              \
    MPIR_WEAK(Name);                                                                               \
    int PMPI_##Iname(PARAMETERS(int, int), MPI_Request *request)                                   \
    {                                                                                              \
        ENTER("MPI_" #Iname, ARGUMENTS, request);                                                  \
        TRY(coll_begin_call(&call, &operation, COLL_ARGS_POINTER, request));                       \
        return mpir_leave(&call);                                                                  \
    }                                                                                              \
    MPIR_WEAK(Iname);                                                                              \
    int PMPI_##Name_init(PARAMETERS(int, int), MPI_Info info, MPI_Request *request)                \
    {                                                                                              \
        ENTER("MPI_" #Name_init, ARGUMENTS, info, request);                                        \
        TRY(coll_init_call(&call, &operation, COLL_ARGS_POINTER, info, request));                  \
        return mpir_leave(&call);                                                                  \
    }                                                                                              \
    MPIR_WEAK(Name_init)

/* Makes the door with MPI_Count of the blocking operation (core/large.h). The declaration takes the
 * semicolon. */
#define COLL_LARGE_DOOR(operation, name_c, Name_c)                                                 \
    int mpir_##name_c(PARAMETERS(MPI_Count, MPI_Aint))                                             \
    {                                                                                              \
        ENTER("MPI_" #Name_c, ARGUMENTS);                                                          \
        TRY(coll_call(&call, &operation, COLL_ARGS_POINTER));                                      \
        return mpir_leave(&call);                                                                  \
    }                                                                                              \
    extern int mpir_##name_c(PARAMETERS(MPI_Count, MPI_Aint))

#endif /* COLL_DOORS_H */
