/* life.c — a derived datatype from its contents to its end. */
#include <stdlib.h>
#include <string.h>
#include "datatype_impl.h"

enum { MAX_DEPTH = 4096 };

void (*adi3_type_ends)(struct adi3_type *t);

int type_no_memory(void) { return adi3_error(MPI_ERR_NO_MEM, "out of memory for a datatype"); }

/* A copy that holds its types. */
static struct adi3_contents *keep(const struct adi3_contents *r)
{
    size_t ints = (size_t) r->nints * sizeof *r->ints,
           addrs = (size_t) r->naddrs * sizeof *r->addrs;
    size_t types = (size_t) r->ntypes * sizeof *r->types;
    struct adi3_contents *kept = malloc(sizeof *kept + addrs + types + ints);

    if (!kept)
        return NULL;
    char *to = (char *) (kept + 1);
    *kept = *r;
    kept->addrs = memcpy(to, addrs ? (const void *) r->addrs : "", addrs);
    kept->types = memcpy(to + addrs, types ? (const void *) r->types : "", types);
    kept->ints = memcpy(to + addrs + types, ints ? (const void *) r->ints : "", ints);
    for (int i = 0; i < r->ntypes; i++)
        kept->types[i]->refs++;
    return kept;
}

/* The type whose elements a new one has, at the same places; NULL when it has places of its own. */
static int inner_of(const struct adi3_contents *r, struct adi3_type **inner)
{
    *inner = NULL;
    switch (r->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        *inner = r->types[0];
        (*inner)->refs++;
        return MPI_SUCCESS;
    case MPI_COMBINER_SUBARRAY:
        return subarray_lower(r, inner);
    case MPI_COMBINER_DARRAY:
        return darray_lower(r, inner);
    }
    return MPI_SUCCESS;
}

/* What walks through types of types has a stack for so many. */
static int set_depth(struct adi3_type *t)
{
    t->depth = t->inner ? t->inner->depth : 0;
    for (int i = 0; i < t->contents->ntypes; i++)
        if (t->contents->types[i]->depth > t->depth)
            t->depth = t->contents->types[i]->depth;
    if (++t->depth <= MAX_DEPTH)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_TYPE, "the datatype would be made of types in more than %d levels",
                      MAX_DEPTH);
}

int adi3_type_make(const struct adi3_contents *r, struct adi3_type **made)
{
    MPI_Datatype h;
    struct adi3_type *t = adi3_new(&adi3_types, &h);
    struct adi3_contents *kept = t ? keep(r) : NULL;

    if (!kept) {
        if (t)
            adi3_free(&adi3_types, t);
        return type_no_memory();
    }
    *t = (struct adi3_type) { .handle = h, .refs = 1, .contents = kept, .name = "" };
    int err = inner_of(r, &t->inner);
    if (!err)
        err = set_depth(t);
    if (!err)
        err = type_set_bounds(t);
    if (err)
        adi3_type_release(t);
    else
        *made = t;
    return err;
}

int adi3_type_hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made)
{
    return adi3_type_make(&(struct adi3_contents) { .combiner = MPI_COMBINER_HVECTOR,
                                                    .nints = 2,
                                                    .naddrs = 1,
                                                    .ntypes = 1,
                                                    .ints = (int[]) { count, blocklen },
                                                    .addrs = &stride,
                                                    .types = &old },
                          made);
}

int adi3_type_commit(struct adi3_type *t)
{
    int err = t->committed ? MPI_SUCCESS : layout_build(t);

    if (!err)
        t->committed = true;
    return err;
}

int adi3_type_dup(struct adi3_type *old, struct adi3_type **made)
{
    int err = adi3_type_make(
        &(struct adi3_contents) { .combiner = MPI_COMBINER_DUP, .ntypes = 1, .types = &old }, made);

    if (!err && old->committed && (err = adi3_type_commit(*made)))
        adi3_type_release(*made);
    return err;
}

MPI_Datatype adi3_type_user_acquire(struct adi3_type *t)
{
    if (!t->predefined) {
        t->refs++;
        t->handles++;
        adi3_set_creator(t);
    }
    return t->handle;
}

void adi3_type_user_release(struct adi3_type *t)
{
    t->handles--;
    adi3_type_release(t);
}

int adi3_type_set_name(struct adi3_type *t, const char *name)
{
    size_t len = strnlen(name, MPI_MAX_OBJECT_NAME - 1);
    char *kept = malloc(len + 1);

    if (!kept)
        return type_no_memory();
    memcpy(kept, name, len);
    kept[len] = '\0';
    type_forget_name(t);
    t->name = kept;
    t->named = true;
    return MPI_SUCCESS;
}

void type_forget_name(struct adi3_type *t)
{
    if (t->named)
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

void adi3_type_release(struct adi3_type *t)
{
    if (t->predefined || --t->refs)
        return;
    layout_free(t->layout);
    if (t->inner)
        adi3_type_release(t->inner);
    for (int i = 0; t->contents && i < t->contents->ntypes; i++)
        adi3_type_release(t->contents->types[i]);
    free(t->contents);
    type_end(t);
    adi3_free(&adi3_types, t);
}
