#include "mpir.h"

/* The values of the predefined attributes (§8.1.2, §10.5), to which users get pointers. The
 * launcher is asked for its two only when somebody wants to know. */
static int tag_ub = ADI3_TAG_UB, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE,
           last_used_code = MPI_ERR_LASTCODE, appnum, universe_size;

static const struct attribute {
    int keyval;
    int *value;
    int (*ask)(int *value); /* NULL: known; fails when nobody knows */
} attributes[] = {
    { MPI_TAG_UB, &tag_ub, NULL },
    { MPI_HOST, &host, NULL },
    { MPI_IO, &io, NULL },
    { MPI_WTIME_IS_GLOBAL, &adi3_wtime_is_global, NULL },
    { MPI_LASTUSEDCODE, &last_used_code, NULL },
    { MPI_APPNUM, &appnum, adi3_appnum },
    { MPI_UNIVERSE_SIZE, &universe_size, adi3_universe_size },
};

static const struct attribute *find(int keyval)
{
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].keyval == keyval)
            return &attributes[i];
    return NULL;
}

static int keyval_arg(int keyval)
{
    if (find(keyval))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_KEYVAL, "0x%x is not a key of communicators", (unsigned) keyval);
}

/* Gives the value of a predefined attribute, which every communicator has: attribute_val is set to
 * a pointer to an int that lives until the program ends. flag is false when there is none (§6.7.2).
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, MPI_ERR_ARG. */
int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    ENTER("MPI_Comm_get_attr", comm, comm_keyval, attribute_val, flag);
    struct adi3_comm *c;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(keyval_arg(comm_keyval));
    TRY(mpir_out_arg(attribute_val, "attribute_val"));
    TRY(mpir_out_arg(flag, "flag"));
    const struct attribute *a = find(comm_keyval);
    *flag = !a->ask || a->ask(a->value) == MPI_SUCCESS;
    if (*flag)
        *(int **) attribute_val = a->value;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_get_attr);
