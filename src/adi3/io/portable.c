/* portable.c — filetypes in other representations (§13.5.3): the constructor calls that made a
 * filetype are made again, of elements that are as long as in the file. Displacements in bytes
 * stay: the program has made them for the file, by MPI_File_get_type_extent. */
#include <limits.h>
#include <stdlib.h>
#include "adi3/io/io_impl.h"

/* The bytes that a predefined type has in the file. */
static int leaf_bytes(const struct adi3_datarep *rep, const struct adi3_type *t, MPI_Aint *bytes)
{
    *bytes = (MPI_Aint) adi3_external_size(t);
    if (rep->portable)
        return MPI_SUCCESS;
    bool unlocked = adi3_unlock_for(SIZE_MAX);
    int code = rep->language->file_extent(rep->extent, t->handle, bytes, rep->extra);
    if (unlocked)
        adi3_lock();
    if (code || *bytes < 0 || *bytes > INT_MAX)
        return adi3_error(MPI_ERR_CONVERSION,
                          "the extent function of '%s' has returned %d and the extent %lld for the "
                          "type 0x%x",
                          rep->name, code, (long long) *bytes, (unsigned) t->handle);
    return MPI_SUCCESS;
}

static int make_leaf(const struct adi3_datarep *rep, const struct adi3_type *t,
                     struct adi3_type **made)
{
    MPI_Aint bytes;
    int err = leaf_bytes(rep, t, &bytes);

    if (!err)
        err = adi3_type_hvector(1, (int) bytes, 1, adi3_type_builtin(MPI_BYTE), made);
    return err;
}

static int make_again(const struct adi3_datarep *rep, const struct adi3_contents *c,
                      struct adi3_type **inner, struct adi3_type **made)
{
    struct adi3_contents again = *c;
    int err = MPI_SUCCESS;

    for (MPI_Count i = 0; i < c->ntypes && !err; i++)
        err = io_portable(rep, c->types[i], &inner[i]);
    again.types = inner;
    if (!err)
        err = adi3_type_make(&again, made);
    return err;
}

int io_portable(const struct adi3_datarep *rep, struct adi3_type *t, struct adi3_type **made)
{
    const struct adi3_contents *c = t->contents;
    MPI_Count n = c ? c->ntypes : 0;
    int err;

    if (n == 0)
        err = make_leaf(rep, t, made);
    else {
        struct adi3_type **inner = calloc((size_t) n, sizeof(struct adi3_type *));
        if (!inner)
            return adi3_no_memory("for a filetype of %lld types", (long long) n);
        err = make_again(rep, c, inner, made);
        for (MPI_Count i = 0; i < n; i++)
            if (inner[i])
                adi3_type_release(inner[i]);
        free(inner);
    }
    if (!err)
        err = adi3_type_commit(*made);
    return err;
}
