/* language.c — attributes in several languages (§17.2.7): hooks for the Fortran library. */
#include "mpi/attr/attr.h"

/* The address that MPIR_Attr_pass() has announced in this thread. */
static _Thread_local struct {
    const void *integer;
    enum adi3_attr_kind kind;
} passed;

void MPIR_Attr_pass(const void *integer, enum adi3_attr_kind kind)
{
    passed.integer = integer;
    passed.kind = kind;
}

enum adi3_attr_kind mpir_attribute_passed(void **value)
{
    if (!*value || *value != passed.integer)
        return ADI3_POINTER;
    intptr_t is = passed.kind == ADI3_INTEGER ? *(int *) *value : *(MPI_Aint *) *value;
    *value = (void *) is;
    return passed.kind;
}

static MPI_Aint integer_of(const struct mpir_attribute *a)
{
    switch (a->kind) {
    case ADI3_INTEGER:
        return a->stored.integer;
    case ADI3_ADDRESS:
        return a->stored.address;
    case ADI3_POINTER:
        break;
    }
    return (MPI_Aint) a->value;
}

void *mpir_attribute_seen(const struct mpir_attribute *a, enum adi3_attr_kind by)
{
    if (by == ADI3_POINTER)
        return a->value;
    return (void *) (by == ADI3_INTEGER ? (int) integer_of(a) : integer_of(a));
}

/* Finds the place of the attributes of an object. False: no object has the handle. */
static bool find_holder(enum mpir_object object, int handle, struct mpir_attr_holder *o)
{
    struct mpir_call call = { .name = NULL };
    struct adi3_comm *c;
    struct adi3_type *t;
    struct adi3_win *w;

    switch (object) {
    case MPIR_ON_COMM:
        if (mpir_local_comm_arg(&call, handle, &c))
            return false;
        *o = mpir_comm_attr_holder(c);
        return true;
    case MPIR_ON_TYPE:
        if (mpir_type_arg(handle, &t))
            return false;
        *o = mpir_type_attr_holder(t);
        return true;
    case MPIR_ON_WIN:
        if (!(w = adi3_win_get(handle)))
            return false;
        *o = mpir_win_attr_holder(w);
        return true;
    }
    return false;
}

/* Sets value for a predefined key; false when it is none. The integers of predefined attributes are
 * there as long as their object is. */
static bool read_predefined(enum mpir_object object, int keyval, void *pointer, MPI_Aint *value)
{
    if (object == MPIR_ON_COMM && mpir_comm_predefined(keyval)) {
        *value = *(int *) pointer;
        return true;
    }
    if (object != MPIR_ON_WIN)
        return false;
    switch (keyval) {
    case MPI_WIN_BASE:
        *value = (MPI_Aint) pointer;
        return true;
    case MPI_WIN_SIZE:
        *value = *(MPI_Aint *) pointer;
        return true;
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL:
        *value = *(int *) pointer;
        return true;
    }
    return false;
}

void MPIR_Attr_read(enum mpir_object object, int handle, int keyval, void *pointer, MPI_Aint *value,
                    int *flag)
{
    struct mpir_attribute *a = NULL;
    struct mpir_attr_holder o;

    if (!*flag || read_predefined(object, keyval, pointer, value))
        return;
    struct mpir_call call = mpir_enter(__func__);
    if (find_holder(object, handle, &o))
        a = mpir_attribute_find(*o.list, keyval);
    *flag = a != NULL;
    if (a)
        *value = integer_of(a);
    (void) mpir_leave(&call);
}

int MPIR_Keyval_set_language(enum mpir_object object, int keyval, const struct adi3_language *row)
{
    struct mpir_call call = mpir_enter(__func__);
    struct mpir_keyval *k;
    int err = mpir_keyval_get(object, keyval, &k);

    if (!err)
        k->call.language = row;
    (void) mpir_leave(&call);
    return err;
}
