/* sections_bounds.c — how far a call goes in a section of an array.
 *
 * The positions that count are those in the section, without its gaps. A call that left the section
 * would leave the copy of it, or, by a datatype, be somewhere else in the program's memory. */
#include <stdio.h>
#include "mpi/fortran/sections.h"

enum { TEXT = 200 };

struct bounds_check {
    const struct f_call *call;
    const struct f_section *section;
    ptrdiff_t *need;
};

static long long clamp_to_llong(__int128 n)
{
    return n > LLONG_MAX ? LLONG_MAX : n < LLONG_MIN ? LLONG_MIN : (long long) n;
}

/* Adds count elements from byte `at` on. */
static int bounds_add(const struct bounds_check *r, __int128 at, __int128 count,
                      const struct mpir_type_facts *t)
{
    const struct f_section *s = r->section;
    char text[TEXT];

    if (count <= 0 || t->size == 0)
        return MPI_SUCCESS;
    __int128 steps = (count - 1) * t->extent;
    __int128 low = at + t->true_lb + (steps < 0 ? steps : 0);
    __int128 high = at + t->true_lb + t->true_extent + (steps > 0 ? steps : 0);

    if (low < 0)
        snprintf(text, sizeof text, "%lld elements of a datatype begin %lld bytes before a section",
                 clamp_to_llong(count), clamp_to_llong(-low));
    else if (high > s->len)
        snprintf(text, sizeof text,
                 "%lld elements of a datatype end at byte %lld of a section that has %td elements "
                 "of %td bytes",
                 clamp_to_llong(count), clamp_to_llong(high), s->len / s->elem_len, s->elem_len);
    else {
        if (high > *r->need)
            *r->need = (ptrdiff_t) high;
        return MPI_SUCCESS;
    }
    return f_fail(r->call, low < 0 ? MPI_ERR_BUFFER : MPI_ERR_COUNT, text);
}

static int comm_block_count(enum f_whose whose, const struct mpir_comm_facts *l)
{
    switch (whose) {
    case F_PEERS:
        return l->peers;
    case F_SOURCES:
        return l->sources;
    case F_DESTINATIONS:
        return l->destinations;
    }
    return 0;
}

/* Elements at displacements of each process. */
static int add_placed(const struct bounds_check *r, const struct f_choice *p, int n,
                      const struct mpir_type_facts *t)
{
    const struct f_blocks *b = p->blocks;
    struct mpir_type_facts facts;
    int err = MPI_SUCCESS;

    for (int i = 0; i < n && !err; i++) {
        __int128 at = b->wide_displs ? b->wide_displs[i] : b->displs[i];
        if (p->use == F_UNITS)
            err = bounds_add(r, at * t->extent, b->counts[i], t);
        else if (b->counts[i] > 0 && MPIR_Type_look(r->call->name, b->types[i], &facts))
            err = bounds_add(r, at, b->counts[i], &facts);
    }
    return err;
}

/* The elements of the processes follow each other. */
static int add_shares(const struct bounds_check *r, const struct f_choice *p,
                      const struct mpir_comm_facts *l, const struct mpir_type_facts *t)
{
    bool all = p->use == F_SHARES || r->call->choice[0].address == MPI_IN_PLACE;
    const int *counts = p->blocks->counts;
    int64_t sum = 0;

    for (int i = 0; i < l->size; i++)
        if ((all || i == l->rank) && (!counts || counts[i] > 0))
            sum += counts ? counts[i] : p->count;
    return bounds_add(r, 0, sum, t);
}

int f_check_bounds(const struct f_call *c, const struct f_choice *p,
                   const struct mpir_type_facts *t, const struct f_section *s, ptrdiff_t *need)
{
    static const struct mpir_type_facts byte = { .size = 1, .extent = 1, .true_extent = 1 };
    const struct bounds_check r = { c, s, need };
    struct mpir_comm_facts l;

    *need = 0;
    switch (p->use) {
    case F_ADDRESS:
    case F_MEMORY:
        return MPI_SUCCESS;
    case F_ONE:
        return bounds_add(&r, 0, 1, t);
    case F_BYTES:
        return bounds_add(&r, 0, p->bytes, &byte);
    case F_BLOCK:
    case F_ELEMENTS:
        return bounds_add(&r, 0, p->count, t);
    case F_BLOCKS:
    case F_UNITS:
    case F_SHARES:
    case F_SHARE:
    case F_TYPED:
        break;
    }
    if (!MPIR_Comm_look(c->name, c->object.comm, &l))
        return MPI_SUCCESS;
    if (p->use == F_BLOCKS)
        return bounds_add(&r, 0, (__int128) p->count * comm_block_count(p->blocks->whose, &l), t);
    if (p->use == F_SHARES || p->use == F_SHARE)
        return add_shares(&r, p, &l, t);
    return add_placed(&r, p, comm_block_count(p->blocks->whose, &l), t);
}
