/* life.c — the life of a derived datatype: made of its contents, committed, released. */
#include <stdlib.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

enum { MAX_DEPTH = 4096 };

/* Copies a constructor call, with references to its types. */
static struct adi3_contents *copy_contents(const struct adi3_contents *r)
{
    size_t ints = (size_t) r->nints * sizeof *r->ints,
           addrs = (size_t) r->naddrs * sizeof *r->addrs;
    size_t types = (size_t) r->ntypes * sizeof *r->types,
           counts = (size_t) r->ncounts * sizeof *r->counts;
    struct adi3_contents *copy = malloc(sizeof *copy + addrs + types + counts + ints);

    if (!copy)
        return NULL;
    char *to = (char *) (copy + 1);
    *copy = *r;
    copy->addrs = memcpy(to, addrs ? (const void *) r->addrs : "", addrs);
    copy->types = memcpy(to + addrs, types ? (const void *) r->types : "", types);
    to += addrs + types;
    copy->counts = memcpy(to, counts ? (const void *) r->counts : "", counts);
    copy->ints = memcpy(to + counts, ints ? (const void *) r->ints : "", ints);
    for (MPI_Count i = 0; i < r->ntypes; i++)
        copy->types[i]->refs++;
    return copy;
}

/* Limits the depth of types: functions that walk through types recurse. */
static int set_depth(struct adi3_type *t)
{
    t->depth = t->inner ? t->inner->depth : 0;
    for (MPI_Count i = 0; i < t->contents->ntypes; i++)
        if (t->contents->types[i]->depth > t->depth)
            t->depth = t->contents->types[i]->depth;
    if (++t->depth <= MAX_DEPTH)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_TYPE, "the datatype would be made of types in more than %d levels",
                      MAX_DEPTH);
}

int type_new(const struct adi3_contents *r, struct adi3_type *inner, struct adi3_type **made)
{
    MPI_Datatype h;
    struct adi3_type *t = adi3_new(&adi3_types, &h);
    struct adi3_contents *copy = t ? copy_contents(r) : NULL;

    if (!copy) {
        if (t)
            adi3_free(&adi3_types, t);
        return adi3_no_memory("for a datatype");
    }
    *t =
        (struct adi3_type) { .handle = h, .refs = 1, .contents = copy, .inner = inner, .name = "" };
    if (inner)
        inner->refs++;
    int err = set_depth(t);
    if (!err)
        err = type_set_bounds(t);
    if (err)
        adi3_type_release(t);
    else
        *made = t;
    return err;
}

int adi3_type_commit(struct adi3_type *t)
{
    int err = t->committed ? MPI_SUCCESS : layout_build(t);

    assert(adi3_lock_held());
    if (!err)
        t->committed = true;
    return err;
}

MPI_Datatype adi3_type_user_acquire(struct adi3_type *t)
{
    assert(adi3_lock_held());
    if (!t->predefined) {
        t->refs++;
        t->handles++;
        adi3_set_creator(t);
    }
    return t->handle;
}

void adi3_type_user_release(struct adi3_type *t)
{
    assert(adi3_lock_held());
    assert(t->handles > 0);
    t->handles--;
    adi3_type_release(t);
}

void adi3_type_release(struct adi3_type *t)
{
    assert(adi3_lock_held());
    assert(t->refs > 0);
    if (t->predefined || --t->refs)
        return;
    layout_free(t->layout);
    if (t->inner)
        adi3_type_release(t->inner);
    for (MPI_Count i = 0; t->contents && i < t->contents->ntypes; i++)
        adi3_type_release(t->contents->types[i]);
    free(t->contents);
    type_end(t);
    adi3_free(&adi3_types, t);
}
