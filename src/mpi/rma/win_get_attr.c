#include "mpi/attr/attr.h"
#include "mpi/rma/rma.h"

/* Sets the value of a predefined attribute. False: keyval is the key of none. */
static bool predefined_attr_get(struct adi3_win *w, int keyval, void **value)
{
    switch (keyval) {
    case MPI_WIN_BASE:
        *value = w->base;
        return true;
    case MPI_WIN_SIZE:
        *value = &w->size;
        return true;
    case MPI_WIN_DISP_UNIT:
        *value = &w->disp_unit;
        return true;
    case MPI_WIN_CREATE_FLAVOR:
        *value = &w->flavor;
        return true;
    case MPI_WIN_MODEL:
        *value = &w->model;
        return true;
    }
    return false;
}

static int win_attr_get(struct adi3_win *w, int keyval, void *attribute_val, int *flag)
{
    void *value;

    if (!predefined_attr_get(w, keyval, &value))
        return mpir_attribute_get(mpir_win_attr_holder(w), keyval, attribute_val, flag);
    int err = mpir_out_arg(attribute_val, "attribute_val");
    if (!err)
        err = mpir_out_arg(flag, "flag");
    if (err)
        return err;
    *(void **) attribute_val = value;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Retrieves an attribute value of a window by key, into the pointer at attribute_val; flag is false
 * when there is none (§6.7.3). Every window has MPI_WIN_BASE, whose value is the address of its
 * memory, and MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR and MPI_WIN_MODEL, whose
 * values are pointers to an MPI_Aint and to ints, valid until the window is freed (§11.2.6).
 * Errors: MPI_ERR_WIN, MPI_ERR_KEYVAL, MPI_ERR_ARG. */
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    ENTER("MPI_Win_get_attr", win, win_keyval, attribute_val, flag);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(win_attr_get(w, win_keyval, attribute_val, flag));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_get_attr);
