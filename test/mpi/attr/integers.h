/* integers.h — attributes as Fortran sets and reads them, on all kinds of objects: what the Fortran
 * library does, and a language whose functions take integers. */
#ifndef INTEGERS_H
#define INTEGERS_H

#include <stdint.h>
#include "mpi/core/hooks.h"
#include "mpitest.h"

enum { OBJECTS = MPIR_ON_WIN + 1 };

static inline int set_pointer(enum mpir_object o, int handle, int key, void *value)
{
    return o == MPIR_ON_COMM   ? MPI_Comm_set_attr(handle, key, value)
           : o == MPIR_ON_TYPE ? MPI_Type_set_attr(handle, key, value)
                               : MPI_Win_set_attr(handle, key, value);
}

/* As MPI_ATTR_PUT of Fortran. */
static inline int set_integer(enum mpir_object o, int handle, int key, int value)
{
    MPIR_Attr_pass(&value, ADI3_INTEGER);
    int err = set_pointer(o, handle, key, &value);
    MPIR_Attr_pass(NULL, ADI3_POINTER);
    return err;
}

/* As MPI_COMM_SET_ATTR of Fortran. */
static inline int set_address(enum mpir_object o, int handle, int key, MPI_Aint value)
{
    MPIR_Attr_pass(&value, ADI3_ADDRESS);
    int err = set_pointer(o, handle, key, &value);
    MPIR_Attr_pass(NULL, ADI3_POINTER);
    return err;
}

static inline void *get_pointer(enum mpir_object o, int handle, int key, int *flag)
{
    void *value = NULL;

    (void) (o == MPIR_ON_COMM   ? MPI_Comm_get_attr(handle, key, &value, flag)
            : o == MPIR_ON_TYPE ? MPI_Type_get_attr(handle, key, &value, flag)
                                : MPI_Win_get_attr(handle, key, &value, flag));
    return value;
}

/* As MPI_COMM_GET_ATTR of Fortran. */
static inline MPI_Aint get_address(enum mpir_object o, int handle, int key, int *flag)
{
    MPI_Aint value = -77;
    void *pointer = get_pointer(o, handle, MPIR_Attr_key(key), flag);

    MPIR_Attr_read(o, handle, MPIR_Attr_key(key), pointer, &value, flag);
    return value;
}

static inline MPI_Aint address_of(enum mpir_object o, int handle, int key)
{
    int flag = 0;
    MPI_Aint value = get_address(o, handle, key, &flag);

    CHECK(flag == 1);
    return value;
}

static inline void *pointer_of(enum mpir_object o, int handle, int key)
{
    int flag = 0;
    void *value = get_pointer(o, handle, key, &flag);

    CHECK(flag == 1);
    return value;
}

static inline int unset(enum mpir_object o, int handle, int key)
{
    return o == MPIR_ON_COMM   ? MPI_Comm_delete_attr(handle, key)
           : o == MPIR_ON_TYPE ? MPI_Type_delete_attr(handle, key)
                               : MPI_Win_delete_attr(handle, key);
}

static inline int make_key(enum mpir_object o, MPI_Comm_copy_attr_function *copy,
                           MPI_Comm_delete_attr_function *del, void *extra,
                           const struct adi3_language *row)
{
    int key, err = o == MPIR_ON_COMM   ? MPI_Comm_create_keyval(copy, del, &key, extra)
                   : o == MPIR_ON_TYPE ? MPI_Type_create_keyval(copy, del, &key, extra)
                                       : MPI_Win_create_keyval(copy, del, &key, extra);

    CHECK_INT(err, MPI_SUCCESS);
    if (row)
        CHECK_INT(MPIR_Keyval_set_language(o, key, row), MPI_SUCCESS);
    return key;
}

static inline void free_key(enum mpir_object o, int *key)
{
    (void) (o == MPIR_ON_COMM   ? MPI_Comm_free_keyval(key)
            : o == MPIR_ON_TYPE ? MPI_Type_free_keyval(key)
                                : MPI_Win_free_keyval(key));
}

static inline int make_object(enum mpir_object o)
{
    static MPI_Aint memory[4];
    int handle = 0;

    if (o == MPIR_ON_COMM)
        MPI_Comm_dup(MPI_COMM_SELF, &handle);
    else if (o == MPIR_ON_TYPE)
        MPI_Type_contiguous(2, MPI_INT, &handle);
    else
        MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_SELF,
                       &handle);
    return handle;
}

static inline int dup_object(enum mpir_object o, int handle, int *made)
{
    return o == MPIR_ON_COMM ? MPI_Comm_dup(handle, made) : MPI_Type_dup(handle, made);
}

static inline int free_object(enum mpir_object o, int *handle)
{
    return o == MPIR_ON_COMM   ? MPI_Comm_free(handle)
           : o == MPIR_ON_TYPE ? MPI_Type_free(handle)
                               : MPI_Win_free(handle);
}

#endif /* INTEGERS_H */
