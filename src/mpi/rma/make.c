/* make.c — how a window is made, for all calls that do.
 *
 * All processes make it or none does. So each step ends with an exchange in which every process
 * says whether it has failed, also one that has nothing more to do; it uses the communicator of the
 * program, which works whatever has failed. */
#include <stdlib.h>
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "mpi/rma/rma.h"

struct making {
    struct adi3_comm *c;
    struct adi3_win *w; /* NULL: not made */
    /* Of each process, by rank. */
    struct adi3_win_member *members;
    struct adi3_win_exposed *exposed;
    int32_t *results;
};

/* The communicator is the window's own: no handle of it is valid. */
static int win_make_begin(struct making *m, const struct mpir_new_win *new)
{
    const struct adi3_subgroup all = { .size = m->c->size, .me = m->c->rank };
    struct adi3_comm *own;
    int err = mpir_comm_make(m->c, &all, ADI3_TAG_COMM, &own);

    if (err)
        return err;
    own->closed = ADI3_FREED;
    mpir_errhandler_attach(&own->errhandler, MPI_ERRORS_ARE_FATAL);
    err = adi3_win_new(own, &m->w);
    if (err) {
        adi3_comm_release(own);
        return err;
    }
    m->w->flavor = new->flavor;
    m->w->disp_unit = new->disp_unit;
    m->w->base = new->base;
    m->w->size = new->size;
    m->w->infos = new->infos;
    return MPI_SUCCESS;
}

/* The error of this process, or else of the first that has one. first: the error class of rank 0,
 * in an array of records of so many bytes. */
static int win_make_outcome(const struct making *m, int err, const int32_t *first, size_t record)
{
    for (int i = 0; i < m->c->size && !err; i++) {
        int theirs = *(const int32_t *) (const void *) ((const char *) first + (size_t) i * record);
        uint64_t len = m->exposed[i].share.len;
        if (theirs && len)
            err = mpir_error(
                theirs, "rank %d cannot make the window, which has %llu bytes on its node (%s)", i,
                (unsigned long long) len, adi3_class_name(theirs));
        else if (theirs)
            err = mpir_error(theirs, "rank %d cannot make its part of the window (%s)", i,
                             adi3_class_name(theirs));
    }
    return err;
}

/* What is asserted holds only if all assert it, and of sizes and units only if it is true; orders
 * are kept if one wants them; memory is aligned for the one that wants most. So all have the same
 * layout of memory. */
static void hints_combine(struct making *m)
{
    unsigned all = ~0u, any = 0;
    uint64_t align = ADI3_WIN_ALIGN;

    for (int i = 0; i < m->c->size; i++) {
        all &= m->members[i].infos;
        any |= m->members[i].infos;
        align = m->members[i].align > align ? m->members[i].align : align;
        if (m->members[i].size != m->members->size)
            m->w->broken |= ADI3_WIN_SAME_SIZE;
        if (m->members[i].disp_unit != m->members->disp_unit)
            m->w->broken |= ADI3_WIN_SAME_DISP_UNIT;
    }
    m->w->align = align < ADI3_WIN_ALIGN_MOST ? (size_t) align : ADI3_WIN_ALIGN_MOST;
    m->w->infos = (all & ~(unsigned) ADI3_WIN_ORDERED) | (any & ADI3_WIN_ORDERED);
}

static int exchange_members(struct making *m, const struct mpir_new_win *new, int err)
{
    size_t huge = new->base ? 1 : adi3_huge_align((size_t) new->size);
    const struct adi3_win_member member = { .base = (uint64_t) (uintptr_t) new->base,
                                            .size = (uint64_t) new->size,
                                            .disp_unit = new->disp_unit,
                                            .failed = err &ADI3_CLASS_MASK,
                                            .infos = new->infos,
                                            .flavor = (uint32_t) new->flavor,
                                            .align = new->align > huge ? new->align : huge };
    int lost = mpir_gather_all(m->c, &member, sizeof member, m->members);

    if (!lost)
        lost = win_make_outcome(m, err, &m->members->failed, sizeof member);
    return lost;
}

/* by_socket: what was exposed before could not be opened by all. */
static int exchange_exposed(struct making *m, bool by_socket)
{
    struct adi3_win_exposed exposed = m->exposed[m->c->rank];

    if (by_socket)
        adi3_win_open_socket(m->w, &exposed);
    else
        adi3_win_expose(m->w, m->members, &exposed);
    int err = exposed.failed;
    exposed.failed &= ADI3_CLASS_MASK;
    int lost = mpir_gather_all(m->c, &exposed, sizeof exposed, m->exposed);
    if (!lost)
        lost = win_make_outcome(m, err, &m->exposed->failed, sizeof exposed);
    return lost;
}

static int win_make_join(struct making *m)
{
    int err = adi3_win_join(m->w, m->members, m->exposed);
    bool hidden = err == ADI3_WIN_HIDDEN;
    const int32_t result = hidden ? err : err & ADI3_CLASS_MASK;
    int lost = mpir_gather_all(m->c, &result, sizeof result, m->results);

    if (lost)
        return lost;
    for (int i = 0; i < m->c->size; i++)
        if (m->results[i] == ADI3_WIN_HIDDEN) {
            hidden = true;
            m->results[i] = MPI_SUCCESS;
        }
    err =
        win_make_outcome(m, err == ADI3_WIN_HIDDEN ? MPI_SUCCESS : err, m->results, sizeof result);
    if (!err && hidden)
        err = ADI3_WIN_HIDDEN;
    return err;
}

static int share_memory(struct making *m)
{
    int err = exchange_exposed(m, false);

    if (err)
        return err;
    err = win_make_join(m);
    if (err != ADI3_WIN_HIDDEN)
        return err;
    err = exchange_exposed(m, true);
    if (!err)
        err = win_make_join(m);
    return err;
}

static int win_make_run(struct making *m, const struct mpir_new_win *new)
{
    int err = exchange_members(m, new, win_make_begin(m, new));

    if (!err) {
        hints_combine(m);
        err = share_memory(m);
    }
    if (!err) {
        adi3_win_open(m->w);
    } else if (m->w)
        adi3_win_free(m->w);
    return err;
}

int mpir_win_make(struct adi3_comm *c, const struct mpir_new_win *new, struct adi3_win **made)
{
    size_t n = (size_t) c->size;
    struct making m = { .c = c,
                        .members = malloc(n * sizeof *m.members),
                        .exposed = calloc(n, sizeof *m.exposed),
                        .results = malloc(n * sizeof *m.results) };
    int err = m.members && m.exposed && m.results
                  ? win_make_run(&m, new)
                  : adi3_no_memory("for a window of %d processes", c->size);

    free(m.members);
    free(m.exposed);
    free(m.results);
    if (!err)
        *made = m.w;
    return err;
}
