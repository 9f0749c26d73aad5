/* view.h — file views: a type map, made without MPI, says where each byte of the view is. */
#ifndef VIEW_H
#define VIEW_H

#include "forms.h"
#include "typemap.h"

enum { PLACES = 1024 };

struct view {
    MPI_Offset disp;
    MPI_Datatype etype, filetype;
    int esize;                /* bytes of the etype */
    int bytes;                /* of one filetype */
    MPI_Offset extent;        /* of the filetype */
    MPI_Offset place[PLACES]; /* of each byte of a filetype */
};

/* The byte of the file that is byte k of the view. */
static inline MPI_Offset view_at(const struct view *v, long long k)
{
    return v->disp + k / v->bytes * v->extent + v->place[k % v->bytes];
}

/* Takes the places of a type map, which is freed. */
static inline void view_places(struct view *v, struct typemap *m)
{
    int n = 0;

    CHECK(m->size > 0 && m->size <= PLACES);
    for (size_t i = 0; i < m->entries; i++)
        for (int b = 0; m->entry[i].basic < TM_BASICS && b < tm_basics[m->entry[i].basic].size; b++)
            v->place[n++] = m->entry[i].disp + b;
    v->bytes = n;
    v->extent = tm_extent(m);
    tm_free(m);
}

static inline void view_free(struct view *v)
{
    int ints, addrs, types, combiner;

    MPI_Type_free(&v->filetype);
    MPI_Type_get_envelope(v->etype, &ints, &addrs, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&v->etype);
}

static inline void view_set(MPI_File f, const struct view *v)
{
    OK(MPI_File_set_view(f, v->disp, v->etype, v->filetype, "native", MPI_INFO_NULL));
}

/* Lets a type replace the one it is made of. */
static inline MPI_Datatype instead(MPI_Datatype *old, MPI_Datatype type)
{
    MPI_Type_free(old);
    return type;
}

static inline MPI_Datatype resized(MPI_Datatype old, MPI_Aint extent)
{
    MPI_Datatype type;

    MPI_Type_create_resized(old, 0, extent, &type);
    return instead(&old, type);
}

/* ---- views of many kinds, in which no two ranks have a byte in common ---- */

enum { CONTIGUOUS, VECTOR, RESIZED, HOLE_FIRST, IN_TURN, BYTES, PAIRS, SIMPLE };
enum { SUB_2D = SIMPLE, SUB_2D_FORTRAN, SUB_3D, SUB_4D_FORTRAN, BLOCKS_2D, CYCLIC_FORTRAN, KINDS };
enum { SHARE = 1024 }; /* bytes of each rank in the simple kinds */

/* The simple kinds are in a part of the file for each rank, but IN_TURN. */
static inline void view_simple(struct view *v, int kind, int r)
{
    struct typemap one = tm_basic(kind == BYTES ? TM_CHAR : TM_INT), m, part;
    const int block = kind == VECTOR || kind == PAIRS ? 2 : 3;
    const ptrdiff_t turn = kind == IN_TURN ? 12L * r : kind == HOLE_FIRST ? 20 : 0;

    v->disp = kind == IN_TURN ? 8 : 8 + (MPI_Offset) r * SHARE;
    if (kind == CONTIGUOUS) {
        MPI_Type_contiguous(5, MPI_INT, &v->filetype);
        m = tm_contiguous(5, &one);
    } else if (kind == VECTOR || kind == RESIZED) {
        MPI_Type_vector(3, block, 5, MPI_INT, &v->filetype);
        m = tm_hvector(3, block, 20, &one);
    } else if (kind == BYTES) {
        MPI_Type_indexed(3, (int[]) { 1, 4, 2 }, (int[]) { 3, 5, 17 }, v->etype, &v->filetype);
        m = tm_hindexed(3, (int[]) { 1, 4, 2 }, (ptrdiff_t[]) { 3, 5, 17 }, &one);
    } else if (kind == PAIRS) {
        MPI_Type_contiguous(2, MPI_INT, &v->etype);
        MPI_Type_vector(2, 1, 3, v->etype, &v->filetype);
        m = tm_hvector(2, 2, 24, &one);
    } else {
        MPI_Type_create_hindexed_block(1, 3, (MPI_Aint[]) { turn }, MPI_INT, &v->filetype);
        m = tm_hindexed(1, (int[]) { 3 }, (ptrdiff_t[]) { turn }, &one);
    }
    if (kind == RESIZED || kind == HOLE_FIRST || kind == IN_TURN) {
        MPI_Aint extent = kind == IN_TURN ? 12L * size + 4 : kind == HOLE_FIRST ? 40 : 68;
        v->filetype = resized(v->filetype, extent);
        part = m;
        m = tm_resized(&part, 0, extent);
        tm_free(&part);
    }
    tm_free(&one);
    view_places(v, &m);
}

static inline void view_subarray(struct view *v, int kind, int r)
{
    const bool order_c = kind == SUB_2D || kind == SUB_3D;
    const int dims = kind == SUB_3D ? 3 : kind == SUB_4D_FORTRAN ? 4 : 2;
    const int cut = kind == SUB_2D ? 1 : kind == SUB_2D_FORTRAN ? 0 : dims - 2;
    int sizes[] = { 4, 3, 3, 3 }, subs[] = { 3, 2, 3, 2 }, starts[] = { 1, 1, 0, 1 };
    struct typemap one = tm_basic(TM_INT), m;

    sizes[cut] = 2 * size + 1, subs[cut] = 2, starts[cut] = 2 * r + 1;
    MPI_Type_create_subarray(dims, sizes, subs, starts, order_c ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                             MPI_INT, &v->filetype);
    m = tm_subarray(dims, sizes, subs, starts, order_c, &one);
    tm_free(&one);
    view_places(v, &m);
}

static inline void view_darray(struct view *v, int kind, int r)
{
    const bool order_c = kind == BLOCKS_2D;
    int procs[] = { 0, 0 }, distribs[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK };
    int args[] = { MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG }, sizes[2];
    struct typemap one = tm_basic(TM_INT), m;
    struct tm_cyclic dim[2];

    MPI_Dims_create(size, 2, procs);
    for (int d = 0; d < 2; d++) {
        sizes[d] = procs[d] * (d ? 5 : 3);
        if (kind == CYCLIC_FORTRAN) {
            distribs[d] = MPI_DISTRIBUTE_CYCLIC;
            args[d] = d ? 2 : MPI_DISTRIBUTE_DFLT_DARG;
        }
        dim[d] =
            (struct tm_cyclic) { sizes[d], kind == BLOCKS_2D ? (d ? 5 : 3) : d + 1, procs[d], 0 };
    }
    MPI_Type_create_darray(size, r, 2, sizes, distribs, args, procs,
                           order_c ? MPI_ORDER_C : MPI_ORDER_FORTRAN, MPI_INT, &v->filetype);
    m = tm_darray(r, 2, dim, order_c, &one);
    tm_free(&one);
    view_places(v, &m);
}

/* The view of a rank. */
static inline struct view view_make(int kind, int r)
{
    struct view v = { .disp = 12, .etype = MPI_INT, .esize = 4 };

    if (kind == BYTES)
        v.etype = MPI_BYTE, v.esize = 1;
    if (kind == PAIRS)
        v.esize = 8;
    if (kind < SIMPLE)
        view_simple(&v, kind, r);
    else if (kind < BLOCKS_2D)
        view_subarray(&v, kind, r);
    else
        view_darray(&v, kind, r);
    MPI_Type_commit(&v.etype);
    MPI_Type_commit(&v.filetype);
    return v;
}

#endif /* VIEW_H */
