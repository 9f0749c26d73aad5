/* portable.c — filetypes in the portable representation (§13.5.3): the constructor calls that made
 * a filetype are made again, of elements that are as long as in external32. Displacements in bytes
 * stay: the program has made them for the file, by MPI_File_get_type_extent. */
#include <stdlib.h>
#include "io_impl.h"

static int make_leaf(const struct adi3_type *t, struct adi3_type **made)
{
    return adi3_type_hvector(1, (int) adi3_external_size(t), 1, adi3_type_builtin(MPI_BYTE), made);
}

static int make_again(const struct adi3_contents *c, struct adi3_type **inner,
                      struct adi3_type **made)
{
    struct adi3_contents again = *c;
    int err = MPI_SUCCESS;

    for (MPI_Count i = 0; i < c->ntypes && !err; i++)
        err = io_portable(c->types[i], &inner[i]);
    again.types = inner;
    return err ? err : adi3_type_make(&again, made);
}

int io_portable(struct adi3_type *t, struct adi3_type **made)
{
    const struct adi3_contents *c = t->contents;
    MPI_Count n = c ? c->ntypes : 0;
    int err;

    if (n == 0)
        err = make_leaf(t, made);
    else {
        struct adi3_type **inner = calloc((size_t) n, sizeof(struct adi3_type *));
        if (!inner)
            return adi3_error(MPI_ERR_NO_MEM, "no memory for a filetype of %lld types",
                              (long long) n);
        err = make_again(c, inner, made);
        for (MPI_Count i = 0; i < n; i++)
            if (inner[i])
                adi3_type_release(inner[i]);
        free(inner);
    }
    return err ? err : adi3_type_commit(*made);
}
