/* monotone.c — whether the bytes of a type follow each other in memory, told by its layout: a level
 * takes one look, however often it repeats, and only lists are walked. */
#include "adi3/datatype/datatype_impl.h"

struct monotone {
    MPI_Aint first, last, end; /* where the first and the last block begin, and the last ends */
    bool fine;
};

/* Appends the blocks of `next`. apart: they must begin at or behind the end of o; else at or behind
 * the begin of the last block of o. */
static void monotone_append(struct monotone *o, struct monotone next, bool apart)
{
    o->fine = o->fine && next.fine && next.first >= (apart ? o->end : o->last);
    o->last = next.last;
    o->end = next.end;
}

static struct monotone monotone_of(const struct adi3_layout *l, bool apart);

static struct monotone monotone_of_fixed(const struct adi3_layout *l, bool apart)
{
    MPI_Aint least = apart ? (MPI_Aint) l->len : 0, last = l->place[l->n - 1];
    bool fine = true;

    for (size_t i = 1; i < l->n; i++)
        fine &= l->place[i] - l->place[i - 1] >= least;
    return (struct monotone) { l->place[0], last, last + (MPI_Aint) l->len, fine };
}

static struct monotone monotone_of_block(const struct layout_block *b)
{
    return (struct monotone) { b->at, b->at, b->at + (MPI_Aint) b->len, true };
}

static struct monotone monotone_of_body(const struct adi3_layout *l, bool apart)
{
    struct monotone o = { 0, 0, (MPI_Aint) l->len, true };

    switch (l->body) {
    case LAYOUT_BLOCK:
        break;
    case LAYOUT_FIXED:
        o = monotone_of_fixed(l, apart);
        break;
    case LAYOUT_VARIED:
        o = monotone_of_block(l->block);
        for (size_t i = 1; i < l->n && o.fine; i++)
            monotone_append(&o, monotone_of_block(&l->block[i]), apart);
        break;
    case LAYOUT_CHILDREN:
        o = monotone_of(l->child[0].layout, apart);
        for (size_t i = 1; i < l->n && o.fine; i++)
            monotone_append(&o, monotone_of(l->child[i].layout, apart), apart);
        break;
    }
    return o;
}

/* The recursion is at most as deep as a size has bits, since a layout has two children at least. */
static struct monotone monotone_of(const struct adi3_layout *l, bool apart)
{
    struct monotone o = monotone_of_body(l, apart);

    for (int i = l->depth; i-- > 0;) {
        MPI_Aint stride = l->level[i].stride, more = (MPI_Aint) (l->level[i].count - 1) * stride;
        if (l->level[i].count > 1)
            o.fine = o.fine && stride >= (apart ? o.end : o.last) - o.first;
        o.last += more;
        o.end += more;
    }
    o.first += l->at;
    o.last += l->at;
    o.end += l->at;
    return o;
}

bool adi3_type_rises(const struct adi3_type *t, bool apart, MPI_Aint *last)
{
    *last = t->true_lb;
    if (t->size == 0 || !t->layout)
        return true;
    struct monotone o = monotone_of(t->layout, apart);
    *last = o.last;
    return o.fine;
}
