/* make.c — how a window is made, for all calls that do.
 *
 * All processes make it or none does. So each step ends with an exchange in which every process
 * says whether it has failed, also one that has nothing more to do; it uses the communicator of the
 * program, which works whatever has failed. */
#include <stdlib.h>
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "mpi/rma/rma.h"

struct win_result {
    uint64_t len; /* of the memory of its node */
    int32_t failed;
};

struct making {
    struct adi3_comm *c;
    struct adi3_win *w; /* NULL: not made */
    struct adi3_win_exposed own;
    bool regions; /* some process has one */
    union {       /* of each process, by rank: what has been gathered last */
        void *all;
        struct adi3_win_member *members;
        struct adi3_win_exposed *exposed;
        struct adi3_win_region *regions;
        struct win_result *results;
    } of;
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

/* The error of another process. len: of the memory of its node, if that is known. */
static int theirs_error(int rank, int errclass, uint64_t len)
{
    if (!len)
        return mpir_error(errclass, "rank %d cannot make its part of the window (%s)", rank,
                          adi3_class_name(errclass));
    return mpir_error(errclass,
                      "rank %d cannot make the window, which has %llu bytes on its node (%s)", rank,
                      (unsigned long long) len, adi3_class_name(errclass));
}

/* What is asserted holds only if all assert it, and of sizes and units only if it is true; orders
 * are kept if one wants them; memory is aligned for the one that wants most. So all have the same
 * layout of memory. */
static void hints_combine(struct making *m)
{
    const struct adi3_win_member *members = m->of.members;
    unsigned all = ~0u, any = 0;
    uint64_t align = ADI3_WIN_ALIGN;

    for (int i = 0; i < m->c->size; i++) {
        all &= members[i].infos;
        any |= members[i].infos;
        align = members[i].align > align ? members[i].align : align;
        m->regions |= members[i].in_region;
        if (members[i].size != members->size)
            m->w->broken |= ADI3_WIN_SAME_SIZE;
        if (members[i].disp_unit != members->disp_unit)
            m->w->broken |= ADI3_WIN_SAME_DISP_UNIT;
    }
    m->w->align = align < ADI3_WIN_ALIGN_MOST ? (size_t) align : ADI3_WIN_ALIGN_MOST;
    m->w->infos = (all & ~(unsigned) ADI3_WIN_ORDERED) | (any & ADI3_WIN_ORDERED);
}

/* Each gather of records returns the error of this process, or else of the first that has one. */
static int exchange_members(struct making *m, const struct mpir_new_win *new, int err)
{
    size_t huge = new->base ? 1 : adi3_huge_align((size_t) new->size);
    const struct adi3_win_member member = { .size = (uint64_t) new->size,
                                            .disp_unit = new->disp_unit,
                                            .failed = err &ADI3_CLASS_MASK,
                                            .infos = new->infos,
                                            .in_region = m->w &&adi3_win_in_region(m->w),
                                            .align = new->align > huge ? new->align : huge };
    int lost = mpir_gather_all(m->c, &member, sizeof member, m->of.all);

    if (lost)
        return lost;
    for (int i = 0; i < m->c->size && !err; i++)
        if (m->of.members[i].failed)
            err = theirs_error(i, m->of.members[i].failed, 0);
    return err;
}

/* by_socket: what was exposed before could not be opened by all. */
static int exchange_exposed(struct making *m, bool by_socket)
{
    if (by_socket)
        adi3_win_open_socket(m->w, &m->own);
    else
        adi3_win_expose(m->w, m->of.members, &m->own);
    int err = m->own.failed;
    m->own.failed &= ADI3_CLASS_MASK;
    int lost = mpir_gather_all(m->c, &m->own, sizeof m->own, m->of.all);
    if (lost)
        return lost;
    for (int i = 0; i < m->c->size && !err; i++)
        if (m->of.exposed[i].failed)
            err = theirs_error(i, m->of.exposed[i].failed, m->of.exposed[i].share.len);
    return err;
}

/* Errors of this process: that before, or one that comes here. */
static int exchange_regions(struct making *m, bool by_socket, int err)
{
    struct adi3_win_region own;
    int bad = adi3_win_expose_region(m->w, by_socket, &own);
    int lost = mpir_gather_all(m->c, &own, sizeof own, m->of.all);

    if (!err)
        err = bad;
    if (!err)
        err = lost;
    if (!err)
        err = adi3_win_map_regions(m->w, m->of.regions);
    return err;
}

/* Whether all have joined. ADI3_WIN_HIDDEN: one could not open what another one exposes. */
static int exchange_results(struct making *m, int err)
{
    const struct win_result result = { .len = m->own.share.len,
                                       .failed =
                                           err == ADI3_WIN_HIDDEN ? err : err & ADI3_CLASS_MASK };
    int lost = mpir_gather_all(m->c, &result, sizeof result, m->of.all), hidden = MPI_SUCCESS;

    if (lost)
        return lost;
    err = err == ADI3_WIN_HIDDEN ? MPI_SUCCESS : err;
    for (int i = 0; i < m->c->size && !err; i++) {
        const struct win_result *theirs = &m->of.results[i];
        if (theirs->failed == ADI3_WIN_HIDDEN)
            hidden = ADI3_WIN_HIDDEN;
        else if (theirs->failed)
            err = theirs_error(i, theirs->failed, theirs->len);
    }
    if (!err)
        err = hidden;
    return err;
}

static int share_memory(struct making *m, bool by_socket)
{
    int err = exchange_exposed(m, by_socket);

    if (err)
        return err;
    err = adi3_win_map(m->w, m->of.exposed);
    if (m->regions)
        err = exchange_regions(m, by_socket, err);
    if (!err)
        err = adi3_win_join(m->w);
    return exchange_results(m, err);
}

static int win_make_run(struct making *m, const struct mpir_new_win *new)
{
    int err = exchange_members(m, new, win_make_begin(m, new));

    if (!err) {
        hints_combine(m);
        err = share_memory(m, false);
    }
    if (err == ADI3_WIN_HIDDEN)
        err = share_memory(m, true);
    if (!err) {
        adi3_win_open(m->w);
    } else if (m->w)
        adi3_win_free(m->w);
    return err;
}

int mpir_win_make(struct adi3_comm *c, const struct mpir_new_win *new, struct adi3_win **made)
{
    struct making m = { .c = c, .of.all = malloc((size_t) c->size * ADI3_WIN_RECORD) };
    int err =
        m.of.all ? win_make_run(&m, new) : adi3_no_memory("for a window of %d processes", c->size);

    free(m.of.all);
    if (!err)
        *made = m.w;
    return err;
}
