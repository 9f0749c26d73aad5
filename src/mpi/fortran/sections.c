/* sections.c — begins and ends calls with sections of arrays. */
#include <stdio.h>
#include "sections.h"

enum { TEXT = 200 };

#define NO_COPY                                                                                    \
    "a buffer is a section that is not contiguous, and only a copy of it could be passed, which "  \
    "this call cannot take back: pass a contiguous array"

static int fail(const struct f_call *c, int errclass, const char *text)
{
    const struct f_object *o = &c->object;

    if (o->file != MPI_FILE_NULL)
        return MPIR_File_error(c->name, o->file, errclass, text);
    if (o->win != MPI_WIN_NULL)
        return MPIR_Error(c->name, MPIR_ON_WIN, o->win, errclass, text);
    return MPIR_Error(c->name, MPIR_ON_COMM, o->comm, errclass, text);
}

/* Whether the call looks at a part in this process at all; where it does not, its count and
 * datatype may be anything. */
static bool is_significant(const struct f_call *c, const struct f_part *p)
{
    if (p->peer == MPI_PROC_NULL)
        return false;
    if (p->significant == F_ALL)
        return true;
    bool root = p->peer == MPI_ROOT || MPIR_Comm_is_root(c->name, c->object.comm, p->peer);
    return p->significant == F_ROOT ? root : p->peer != MPI_ROOT;
}

static int copy(const struct f_call *c, struct f_part *p, const struct f_section *s, ptrdiff_t len)
{
    if (c->time == F_LATER)
        return fail(c, MPI_ERR_BUFFER, NO_COPY);
    p->copy = f_copy_make(s, (size_t) len, p->out);
    if (!p->copy)
        return fail(c, MPI_ERR_NO_MEM, "no memory for the copy of a section");
    p->address = f_copy_address(p->copy);
    return MPI_SUCCESS;
}

/* Sets *need to the bytes of the section up to the last one of count elements. */
static int need_of(const struct f_call *c, const struct f_part *p, const struct mpir_type_look *t,
                   const struct f_section *s, ptrdiff_t *need)
{
    ptrdiff_t there = s->len, len = p->count;
    char text[TEXT];

    if (t->contig && !__builtin_mul_overflow(len, t->size, need) && *need <= there)
        return MPI_SUCCESS;
    __int128 steps = (__int128) (p->count - 1) * t->extent;
    __int128 low = t->true_lb + (steps < 0 ? steps : 0);
    __int128 high = (__int128) t->true_lb + t->true_extent + (steps > 0 ? steps : 0);

    *need = (ptrdiff_t) high;
    if (low >= 0 && high <= there)
        return MPI_SUCCESS;
    if (low < 0)
        snprintf(text, sizeof text, "%d elements of a datatype begin before the section", p->count);
    else
        snprintf(text, sizeof text,
                 "%d elements of a datatype need %lld bytes, the section has %td", p->count,
                 high > INT64_MAX ? INT64_MAX : (long long) high, there);
    return fail(c, MPI_ERR_BUFFER, text);
}

/* Replaces datatype and count of a part by a datatype over the section, where there is one. */
static int use_type(struct f_part *p, const struct mpir_type_look *t, const struct f_section *s)
{
    bool one = p->use == F_BLOCK, unit = p->use == F_UNITS;
    struct f_wanted w = { .section = s,
                          .basic = t->contig ? t->basic : MPI_DATATYPE_NULL,
                          .size = t->basic_size,
                          .repeats = !one };

    if (w.basic == MPI_DATATYPE_NULL
        || __builtin_mul_overflow(unit ? 1 : (ptrdiff_t) p->count, t->size, &w.len))
        return MPI_SUCCESS;
    int err = f_type_of(&w, &p->kept);
    if (err || !p->kept)
        return err;
    p->type = f_type_handle(p->kept);
    p->count = 1;
    return MPI_SUCCESS;
}

/* A part whose section has gaps, and whose datatype is t. */
static int begin_typed(const struct f_call *c, struct f_part *p, const struct f_section *s,
                       const struct mpir_type_look *t)
{
    ptrdiff_t need = s->len;
    int err = MPI_SUCCESS;

    if (p->use == F_ONE && t->true_extent <= s->dim[0].n)
        return MPI_SUCCESS;
    if (p->use != F_UNITS && (p->count == 0 || t->size == 0))
        return MPI_SUCCESS;
    if (p->use != F_UNITS && p->use != F_BLOCKS)
        err = need_of(c, p, t, s, &need);
    bool small = need <= F_SMALL && !p->out && c->time != F_LATER;
    if (!err && !small && p->use != F_ELEMENTS && p->use != F_ONE)
        err = use_type(p, t, s);
    return err || p->kept ? err : copy(c, p, s, need);
}

static int begin_part(const struct f_call *c, struct f_part *p)
{
    struct mpir_type_look t;
    struct f_section s;

    p->from.read(p->from.descriptor, &s);
    p->address = f_buffer(s.base);
    if (s.dims == 1 || p->use == F_ADDRESS || !is_significant(c, p))
        return MPI_SUCCESS;
    if (p->use == F_MEMORY)
        return fail(c, MPI_ERR_BUFFER,
                    "the memory is a section that is not contiguous: MPI keeps contiguous memory");
    if (p->use == F_BYTES)
        return copy(c, p, &s, s.len);
    /* C's function says what is wrong with them. */
    if (p->count < 0 || !MPIR_Type_look(c->name, p->type, &t))
        return MPI_SUCCESS;
    return begin_typed(c, p, &s, &t);
}

/* Leaves a copy to the request; without memory for that waits for it here. */
static void leave(struct f_copy *c, MPI_Request request)
{
    int done = 0;

    if (!MPIR_Request_at_end(request, f_copy_end, c))
        return;
    while (!done)
        (void) PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    f_copy_end(c);
}

/* Ends what begin_part() made. */
static void end_part(struct f_part *p, const MPI_Request *request)
{
    if (p->copy && request)
        leave(p->copy, *request);
    else if (p->copy)
        f_copy_end(p->copy);
    f_type_release(p->kept);
}

int f_begin(struct f_call *c)
{
    int err = MPI_SUCCESS;

    MPIR_Arguments(&c->arguments);
    for (int i = 0; i < c->parts && !err; i++)
        err = begin_part(c, &c->part[i]);
    for (int i = 0; i < c->parts && err; i++)
        end_part(&c->part[i], NULL);
    if (err)
        MPIR_Arguments(NULL);
    return err;
}

int f_end(struct f_call *c, int err, const MPI_Request *request)
{
    MPIR_Arguments(NULL);
    for (int i = 0; i < c->parts; i++)
        end_part(&c->part[i], c->time == F_AT_REQUEST && !err ? request : NULL);
    return err;
}
