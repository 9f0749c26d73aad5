/* sections.c — begins and ends calls with sections of arrays. */
#include "mpi/core/hooks.h"
#include "mpi/fortran/sections.h"

#define NO_COPY                                                                                    \
    "a buffer is a section that is not contiguous, and only a copy of it could be passed, which "  \
    "this call cannot take back: pass a contiguous array"

/* Whether the call looks at a choice buffer in this process at all; where it does not, its count
 * and datatype may be anything. */
static bool is_significant(const struct f_call *c, const struct f_choice *p)
{
    if (p->peer == MPI_PROC_NULL)
        return false;
    if (p->significant == F_ALL)
        return true;
    struct mpir_comm_facts l;
    bool root = p->peer == MPI_ROOT
                || (MPIR_Comm_look(c->name, c->object.comm, &l) && !l.inter && l.rank == p->peer);
    return p->significant == F_ROOT ? root : p->peer != MPI_ROOT;
}

static int section_begin_copy(const struct f_call *c, struct f_choice *p, const struct f_section *s,
                              ptrdiff_t len)
{
    if (c->time == F_LATER)
        return f_fail(c, MPI_ERR_BUFFER, NO_COPY);
    p->copy = f_copy_make(s, (size_t) len, p->out);
    if (!p->copy)
        return f_fail(c, MPI_ERR_NO_MEM, "no memory for the copy of a section");
    p->address = f_copy_address(p->copy);
    return MPI_SUCCESS;
}

/* Ends the call with the class and the text of err, which a nested call has returned. */
static int fail_as(const struct f_call *c, int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int errclass = MPI_ERR_OTHER, len;

    (void) PMPI_Error_class(err, &errclass);
    (void) PMPI_Error_string(err, text, &len);
    return f_fail(c, errclass, text);
}

/* Replaces datatype and count of a choice buffer by a datatype over the section, where there is
 * one. */
static int use_type(const struct f_call *c, struct f_choice *p, const struct mpir_type_facts *t,
                    const struct f_section *s)
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
    if (err)
        return fail_as(c, err);
    if (!p->kept)
        return MPI_SUCCESS;
    p->type = f_type_handle(p->kept);
    p->count = 1;
    return MPI_SUCCESS;
}

/* Begins a choice buffer whose section has gaps. t: the facts of the datatype; NULL: the buffer is
 * of bytes (F_BYTES), or of a type for each process (F_TYPED). */
static int begin_gaps(const struct f_call *c, struct f_choice *p, const struct f_section *s,
                      const struct mpir_type_facts *t)
{
    ptrdiff_t need, count = p->count;
    int err = MPI_SUCCESS;

    /* The common case, or all others. */
    if (p->use != F_BLOCK || !t->contig || __builtin_mul_overflow(count, t->size, &need)
        || need > s->len)
        err = f_check_bounds(c, p, t, s, &need);
    if (err || need == 0 || (p->use == F_ONE && need <= s->dim[0].n))
        return err;
    bool can = p->use == F_BLOCK || p->use == F_BLOCKS || p->use == F_UNITS;
    bool small = need <= F_SMALL && !p->out && c->time != F_LATER;
    if (can && !small)
        err = use_type(c, p, t, s);
    if (!err && !p->kept)
        err = section_begin_copy(c, p, s, need);
    return err;
}

static int begin_choice(const struct f_call *c, struct f_choice *p)
{
    struct mpir_type_facts t;
    struct f_section s;

    p->from.read(p->from.descriptor, &s);
    p->address = f_buffer(s.base);
    if (s.dims == 1 || p->use == F_ADDRESS || !is_significant(c, p))
        return MPI_SUCCESS;
    if (p->use == F_MEMORY)
        return f_fail(c, MPI_ERR_BUFFER,
                      "the memory is a section that is not contiguous: MPI keeps contiguous "
                      "memory");
    if (p->use == F_BYTES || p->use == F_TYPED)
        return begin_gaps(c, p, &s, NULL);
    /* C's function says what is wrong with them. */
    if (p->count < 0 || !MPIR_Type_look(c->name, p->type, &t))
        return MPI_SUCCESS;
    return begin_gaps(c, p, &s, &t);
}

/* Leaves a copy to the request; without memory for that waits for it here. */
static void copy_leave_to_request(struct f_copy *c, MPI_Request request)
{
    int done = 0;

    if (!MPIR_Request_at_end(request, f_copy_end, c))
        return;
    while (!done)
        (void) PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    f_copy_end(c);
}

/* Ends what begin_choice() made. */
static void end_choice(struct f_choice *p, const MPI_Request *request)
{
    if (p->copy && request)
        copy_leave_to_request(p->copy, *request);
    else if (p->copy)
        f_copy_end(p->copy);
    f_type_release(p->kept);
}

/* ---- the common case ------------------------------------------------------------------------- */

/* Reads the section; whether this is the common case, and how many bytes it needs. */
static bool is_common(const struct f_quick *q, struct f_section *s, ptrdiff_t *need)
{
    struct mpir_type_facts t;

    q->any->read(q->any->descriptor, s);
    return s->dims == 2 && q->peer != MPI_PROC_NULL && q->count > 0
           && MPIR_Type_look(q->arguments->call, q->type, &t) && t.contig
           && !__builtin_mul_overflow((ptrdiff_t) q->count, t.size, need) && *need <= F_SMALL
           && *need <= s->len;
}

/* For the call of C's function that follows. */
static struct f_copy *copy_pass_arguments(const struct f_quick *q, struct f_copy *copy)
{
    if (copy)
        MPIR_Arguments(q->arguments);
    return copy;
}

struct f_copy *f_quick_copy(const struct f_quick *q)
{
    struct f_section s;
    ptrdiff_t need;

    return is_common(q, &s, &need) ? copy_pass_arguments(q, f_copy_make(&s, (size_t) need, false))
                                   : NULL;
}

void f_quick_end(struct f_copy *copy, const MPI_Request *request)
{
    MPIR_Arguments(NULL);
    if (request)
        copy_leave_to_request(copy, *request);
    else
        f_copy_end(copy);
}

struct f_copy *f_quick_room(const struct f_quick *q, struct f_section *s)
{
    ptrdiff_t need;

    return is_common(q, s, &need) ? copy_pass_arguments(q, f_copy_room((size_t) need)) : NULL;
}

void f_quick_received(struct f_copy *copy, const struct f_section *s, int err,
                      const MPI_Status *status)
{
    MPIR_Arguments(NULL);
    if (!err)
        f_copy_scatter(copy, s, (size_t) status->count_lo);
    f_copy_end(copy);
}

/* ---- all others ------------------------------------------------------------------------------ */

int f_begin(struct f_call *c)
{
    int err = MPI_SUCCESS;

    MPIR_Arguments(c->arguments);
    for (int i = 0; i < c->choices && !err; i++)
        err = begin_choice(c, &c->choice[i]);
    for (int i = 0; i < c->choices && err; i++)
        end_choice(&c->choice[i], NULL);
    if (err)
        MPIR_Arguments(NULL);
    return err;
}

int f_end(struct f_call *c, int err, const MPI_Request *request)
{
    MPIR_Arguments(NULL);
    for (int i = 0; i < c->choices; i++)
        end_choice(&c->choice[i], c->time == F_AT_REQUEST && !err ? request : NULL);
    return err;
}
