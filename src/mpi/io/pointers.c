/* pointers.c — file pointers, in etypes of the view. The shared one is a number in a window of the
 * file's first process, which all change by atomic operations: no file holds it, and nothing is
 * left of it when a job is killed. */
#include <stdlib.h>
#include "mpi/comm/comm.h"
#include "mpi/io/io.h"
#include "mpi/rma/rma.h"

/* ---- places ---------------------------------------------------------------------------------- */

int mpir_io_end_of(const struct adi3_file *f, MPI_Offset *end)
{
    uint64_t size;
    int err = adi3_file_size(f, &size);

    if (!err)
        *end = f->view.unit ? (MPI_Offset) ((adi3_view_before(&f->view, size) + f->view.unit - 1)
                                            / f->view.unit)
                            : 0;
    return err;
}

int mpir_io_seek(const struct adi3_file *f, MPI_Offset offset, int whence, MPI_Offset position,
                 MPI_Offset *to)
{
    MPI_Offset from = 0, place;
    int err = MPI_SUCCESS;

    if (whence == MPI_SEEK_CUR)
        from = position;
    else if (whence == MPI_SEEK_END)
        err = mpir_io_end_of(f, &from);
    else if (whence != MPI_SEEK_SET)
        err = mpir_error(MPI_ERR_ARG, "whence is %d", whence);
    if (err)
        return err;
    if (__builtin_add_overflow(from, offset, &place) || place < 0)
        return mpir_error(MPI_ERR_ARG, "offset %lld from %lld is before the beginning of the view",
                          (long long) offset, (long long) from);
    *to = place;
    return MPI_SUCCESS;
}

/* ---- the shared pointer ---------------------------------------------------------------------- */

int mpir_shared_pointer_make(struct adi3_file *f)
{
    const struct mpir_new_win new = { .flavor = MPI_WIN_FLAVOR_ALLOCATE,
                                      .disp_unit = 1,
                                      .size = f->comm->rank ? 0 : sizeof(MPI_Offset),
                                      .infos = ADI3_WIN_ORDERED };

    int err = mpir_win_make(f->comm, &new, &f->shared);

    if (err)
        return err;
    adi3_no_creator(f->shared);
    return adi3_win_lock(f->shared, MPI_LOCK_SHARED, -1, 0);
}

int mpir_shared_pointer_free(struct adi3_file *f)
{
    int err = f->shared ? adi3_win_unlock(f->shared, -1) : MPI_SUCCESS;
    int failed = mpir_io_consensus(f->comm, err, "give the shared file pointer up");

    if (f->shared && failed) {
        adi3_win_leave(f->shared);
    } else if (f->shared) {
        struct adi3_comm *c = f->shared->comm;
        c->refs++;
        adi3_win_free(f->shared);
        failed = mpir_let_go(c);
    }
    f->shared = NULL;
    return failed;
}

/* Does an operation on the pointer, by `value`; sets what it was before. */
static int shared_pointer_fetch_op(const struct adi3_file *f, MPI_Op op, MPI_Offset value,
                                   MPI_Offset *was)
{
    struct adi3_type *t = adi3_type_builtin(MPI_OFFSET);
    const struct adi3_rma_how how = adi3_rma_how(adi3_op_builtin(op), t);
    const struct adi3_rma_element e = { .origin = &value, .result = was };
    const struct adi3_rma x = { .kind = ADI3_GET_ACCUMULATE,
                                .origin = { &value, 1, t },
                                .result = { was, 1, t },
                                .count = 1,
                                .type = t,
                                .op = adi3_op_builtin(op) };

    if (adi3_rma_element(f->shared, 0, 0, &how, &e)) /* by one instruction */
        return MPI_SUCCESS;
    int err = adi3_rma(f->shared, &x, NULL);
    if (!err)
        err = adi3_win_flush(f->shared, 0, false);
    return err;
}

int mpir_shared_pointer_add(const struct adi3_file *f, MPI_Offset add, MPI_Offset *was)
{
    return shared_pointer_fetch_op(f, MPI_SUM, add, was);
}

int mpir_shared_pointer_set(const struct adi3_file *f, MPI_Offset to)
{
    MPI_Offset was;

    return shared_pointer_fetch_op(f, MPI_REPLACE, to, &was);
}

struct turn {
    MPI_Offset add;
    int64_t errclass;
};

/* The first process moves the pointer for all. */
static int take_turns(const struct adi3_file *f, const struct turn *all, MPI_Offset *at)
{
    struct turn first = { 0, 0 };
    MPI_Offset sum = 0, before = 0;
    int err = MPI_SUCCESS;

    for (int i = 0; i < f->comm->size; i++) {
        before += i < f->comm->rank ? all[i].add : 0;
        sum += all[i].add;
    }
    if (f->comm->rank == 0) {
        err = mpir_shared_pointer_add(f, sum, &first.add);
        first.errclass = err & ADI3_CLASS_MASK;
    }
    int lost = mpir_broadcast_id(f->comm, 0, &first, sizeof first);
    *at = first.add + before;
    if (!err)
        err = lost;
    if (!err)
        err = mpir_io_error_of(0, (int) first.errclass, "move the shared file pointer");
    return err;
}

int mpir_shared_pointer_take_turn(const struct adi3_file *f, int err, MPI_Offset add,
                                  MPI_Offset *at)
{
    const struct turn mine = { add, err & ADI3_CLASS_MASK };
    struct turn *all = malloc((size_t) f->comm->size * sizeof mine);

    if (!all)
        return adi3_no_memory("for the turns of %d processes", f->comm->size);
    int lost = mpir_gather_all(f->comm, &mine, sizeof mine, all);
    if (!err)
        err = lost;
    for (int i = 0; i < f->comm->size && !err; i++)
        err = mpir_io_error_of(i, (int) all[i].errclass, "take part");
    if (!err)
        err = take_turns(f, all, at);
    free(all);
    return err;
}
