/* type.c — the pool of datatypes, what the user gives a datatype, and errors about them. */
#include <stdlib.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

static int type_handles(const void *object);
struct adi3_pool adi3_types = ADI3_POOL_OF(ADI3_TYPE, struct adi3_type, type_handles);

/* How many handles the user should have freed: none of a predefined type or a Fortran kind. */
static int type_handles(const void *object)
{
    const struct adi3_type *t = object;

    return t->predefined || t->basic == t ? 0 : t->handles;
}

void (*adi3_type_ends)(struct adi3_type *t);

int type_too_large(const char *what)
{
    return adi3_error(MPI_ERR_COUNT, "%s of the datatype would need more than 62 bits", what);
}

int adi3_type_set_name(struct adi3_type *t, const char *name)
{
    size_t len = strnlen(name, MPI_MAX_OBJECT_NAME - 1);
    char *copy = malloc(len + 1);

    assert(adi3_lock_held());
    if (!copy)
        return adi3_no_memory("for a datatype");
    memcpy(copy, name, len);
    copy[len] = '\0';
    type_forget_name(t);
    t->name = copy;
    t->named = true;
    return MPI_SUCCESS;
}

void type_forget_name(struct adi3_type *t)
{
    if (!t->named) /* not written: builtin types fill eight pages, which most jobs only read */
        return;
    free((void *) (uintptr_t) t->name);
    t->name = "";
    t->named = false;
}

void type_end(struct adi3_type *t)
{
    if (t->attributes && adi3_type_ends)
        adi3_type_ends(t);
    type_forget_name(t);
}
