#include "mpi/attr/attr.h"

static int get_predefined(const struct mpir_predefined *p, void *attribute_val, int *flag)
{
    int err = mpir_out_arg(attribute_val, "attribute_val");

    if (!err)
        err = mpir_out_arg(flag, "flag");
    if (err)
        return err;
    *flag = !p->ask || p->ask(p->value) == MPI_SUCCESS;
    if (*flag)
        *(int **) attribute_val = p->value;
    return MPI_SUCCESS;
}

/* Always inline: link-time optimization would weigh it against the growth of the whole library. */
static inline __attribute__((always_inline)) int comm_attribute(struct adi3_comm *c, int keyval,
                                                                void *attribute_val, int *flag)
{
    const struct mpir_predefined *p = mpir_comm_predefined(keyval);

    return p ? get_predefined(p, attribute_val, flag)
             : mpir_attribute_get(mpir_comm_attr_holder(c), keyval, attribute_val, flag);
}

int mpir_comm_attribute_get(struct adi3_comm *c, int keyval, void *attribute_val, int *flag)
{
    return comm_attribute(c, keyval, attribute_val, flag);
}

/* Retrieves an attribute value of a communicator by key, into the pointer at attribute_val; flag is
 * false when there is none (§6.7.2). A predefined attribute exists on every communicator: its value
 * is a pointer to an int that is valid until the program ends. When another thread deletes the
 * attribute, its value may be gone before this thread uses it.
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, MPI_ERR_ARG. */
int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    ENTER("MPI_Comm_get_attr", comm, comm_keyval, attribute_val, flag);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(comm_attribute(c, comm_keyval, attribute_val, flag));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_get_attr);
