/* attributes.c — attributes that are integers (§17.2.7).
 *
 * C is given the address of the integer, and by a hook what is there; libmpi keeps the integer. */
#include "mpi/fortran/handwritten.h"

/* call(object, key, address of the integer). */
typedef int set_function(int object, int keyval, void *value);
typedef int get_function(int object, int keyval, void *value, int *flag);

static int integer_attr_set(set_function *call, int object, int keyval, const void *value,
                            enum adi3_attr_kind kind)
{
    MPIR_Attr_pass(value, kind);
    int err = call(object, MPIR_Attr_key(keyval), (void *) value);
    MPIR_Attr_pass(NULL, ADI3_POINTER);
    return err;
}

int f_comm_set_attr(F_CALL(MPI_Comm_set_attr), MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value)
{
    return integer_attr_set(call, *comm, *keyval, value, ADI3_ADDRESS);
}

int f_type_set_attr(F_CALL(MPI_Type_set_attr), MPI_Fint *type, MPI_Fint *keyval, MPI_Aint *value)
{
    return integer_attr_set(call, *type, *keyval, value, ADI3_ADDRESS);
}

int f_win_set_attr(F_CALL(MPI_Win_set_attr), MPI_Fint *win, MPI_Fint *keyval, MPI_Aint *value)
{
    return integer_attr_set(call, *win, *keyval, value, ADI3_ADDRESS);
}

int f_attr_put(F_CALL(MPI_Attr_put), MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value)
{
    return integer_attr_set(call, *comm, *keyval, value, ADI3_INTEGER);
}

/* Sets value when the attribute is set. */
static int integer_attr_get(get_function *call, enum mpir_object on, int object, int keyval,
                            MPI_Aint *value, MPI_Fint *flag)
{
    int found = 0, key = MPIR_Attr_key(keyval);
    void *pointer = NULL;
    MPI_Aint integer = 0;
    int err = call(object, key, &pointer, &found);

    if (err)
        return err;
    if (found)
        MPIR_Attr_read(on, object, key, pointer, &integer, &found);
    if (found)
        *value = integer;
    *flag = f_logical(found);
    return MPI_SUCCESS;
}

int f_comm_get_attr(F_CALL(MPI_Comm_get_attr), MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value,
                    MPI_Fint *flag)
{
    return integer_attr_get(call, MPIR_ON_COMM, *comm, *keyval, value, flag);
}

int f_type_get_attr(F_CALL(MPI_Type_get_attr), MPI_Fint *type, MPI_Fint *keyval, MPI_Aint *value,
                    MPI_Fint *flag)
{
    return integer_attr_get(call, MPIR_ON_TYPE, *type, *keyval, value, flag);
}

int f_win_get_attr(F_CALL(MPI_Win_get_attr), MPI_Fint *win, MPI_Fint *keyval, MPI_Aint *value,
                   MPI_Fint *flag)
{
    return integer_attr_get(call, MPIR_ON_WIN, *win, *keyval, value, flag);
}

/* A value that does not fit is cut, as the standard has it. */
int f_attr_get(F_CALL(MPI_Attr_get), MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value,
               MPI_Fint *flag)
{
    MPI_Aint wide = 0;
    int err = integer_attr_get(call, MPIR_ON_COMM, *comm, *keyval, &wide, flag);

    if (!err && *flag)
        *value = (MPI_Fint) wide;
    return err;
}
