/* rma.h — windows and one-sided communication: arguments, and how a window is made. */
#ifndef RMA_H
#define RMA_H

#include <string.h>
#include "mpi/mpir.h"

/* ---- arguments (args.c) ---------------------------------------------------------------------- */

int mpir_wrong_win(MPI_Win h) __attribute__((cold));
int mpir_wrong_target(const struct adi3_win *w, int rank, const char *what) __attribute__((cold));
int mpir_wrong_disp(const struct adi3_win *w, MPI_Aint disp) __attribute__((cold));

/* A window. Errors of the call then go to its error handler. */
static inline int mpir_win_arg(struct mpir_call *call, MPI_Win h, struct adi3_win **w)
{
    *w = adi3_get(&adi3_wins, h);
    if (__builtin_expect(!*w, 0))
        return mpir_wrong_win(h);
    call->comm = (*w)->comm;
    return MPI_SUCCESS;
}

/* A window of this flavor. Errors: MPI_ERR_WIN, MPI_ERR_RMA_FLAVOR. */
int mpir_win_of_flavor_arg(struct mpir_call *call, MPI_Win h, int flavor, struct adi3_win **w);

/* A rank in a window, or MPI_PROC_NULL. what: the parameter, for errors. */
static inline int mpir_target_arg(const struct adi3_win *w, int rank, const char *what)
{
    if (mpir_checking() && (unsigned) rank >= (unsigned) w->comm->size && rank != MPI_PROC_NULL)
        return mpir_wrong_target(w, rank, what);
    return MPI_SUCCESS;
}

/* Displacements in dynamic windows are addresses, which may be negative numbers. */
static inline int mpir_disp_arg(const struct adi3_win *w, MPI_Aint disp)
{
    if (mpir_checking() && disp < 0 && w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        return mpir_wrong_disp(w, disp);
    return MPI_SUCCESS;
}

/* The size and displacement unit of a new window. Errors: MPI_ERR_SIZE, MPI_ERR_DISP. */
int mpir_size_arg(const void *base, MPI_Aint size);
int mpir_disp_unit_arg(MPI_Aint disp_unit);
/* allowed: the assertions that belong to this call. Errors: MPI_ERR_ASSERT. */
int mpir_assert_arg(int assertions, int allowed);

/* ---- operations (operation.c) ---------------------------------------------------------------- */

/* The data at the target. Errors: MPI_ERR_COUNT, MPI_ERR_TYPE. */
int mpir_target_data_arg(struct adi3_rma *x, MPI_Count count, MPI_Datatype h);
/* What moves must fit in the place that it moves to, in bytes: of x the side that receives is cut
 * to what comes. MPI_PROC_NULL has any place. Errors: MPI_ERR_TYPE. */
int mpir_fit_arg(struct adi3_rma *x);
/* The operation, which must take the basic type of the data, the same in all buffers. x has all its
 * data. MPI_NO_OP is for kinds that fetch. Of no elements, and for MPI_PROC_NULL, the types may be
 * any, as in MPICH: nothing is combined. Errors: MPI_ERR_OP, MPI_ERR_TYPE. */
int mpir_rma_op_arg(struct adi3_rma *x, MPI_Op h);
bool mpir_can_compare(const struct adi3_type *t); /* a type of MPI_Compare_and_swap */
/* One element of a predefined type. Errors: as mpir_data_arg(). */
int mpir_element_arg(const void *buf, MPI_Datatype h, struct adi3_data *d);

/* Does an operation with checked arguments, or starts it; nothing when its target is MPI_PROC_NULL.
 * request: NULL, or where its request goes, which only an epoch of MPI_Win_lock or MPI_Win_lock_all
 * may have (§11.3.5). Errors: as adi3_rma(). */
int mpir_rma(struct adi3_win *w, const struct adi3_rma *x, MPI_Request *request);

/* ---- the fast path --------------------------------------------------------------------------- */

/* The window of a call, when it may go the fast path and it is valid; else NULL. */
static inline struct adi3_win *mpir_quick_win(const char *name, MPI_Win h)
{
    return !mpir_enter_quickly(name) ? NULL : adi3_get(&adi3_wins, h);
}

/* Targets that contiguous elements of a predefined type have been put to or got from directly, each
 * at its rank modulo MPIR_REACHED. */
enum { MPIR_REACHED = 8 };
extern struct mpir_reached {
    MPI_Win win;
    int target;
    MPI_Datatype type;
    uint32_t size; /* of the type */
    struct adi3_win *w;
    const struct adi3_rma_quick *t;
} mpir_reached[MPIR_REACHED];

void mpir_reached_forget(void); /* before any window is freed */

/* The memory of count elements at the target, when mpir_reached has the target; else NULL. len:
 * their bytes. A negative count is outside of the window. */
static inline char *mpir_reach(MPI_Win win, int target, MPI_Datatype type, int count, MPI_Aint disp,
                               size_t *len)
{
    const struct mpir_reached *q = &mpir_reached[(unsigned) target % MPIR_REACHED];

    if (q->win != win || q->target != target || q->type != type)
        return NULL;
    *len = (size_t) count * q->size;
    return adi3_rma_place(q->w, q->t, disp, *len, STARLING_ERROR_CHECKS);
}

/* As mpir_reach(), for any target and type: enters both in mpir_reached when the memory is reached
 * directly. */
char *mpir_reach_first(const char *name, const struct mpir_reached *what, const void *buf,
                       MPI_Count count, MPI_Aint disp, size_t *len);

/* Whether a call on one element has been done: adi3_rma_element(). e has its buffers; op:
 * MPI_OP_NULL of MPI_Compare_and_swap. */
bool mpir_quick_element(struct adi3_win *w, int rank, MPI_Aint disp, MPI_Datatype h, MPI_Op op,
                        const struct adi3_rma_element *e);

/* Small numbers are stored by one instruction each. The places may be the same. */
static inline void mpir_rma_copy(void *to, const void *from, size_t len)
{
    if (__builtin_expect(len == 8, 1))
        memcpy(to, from, 8);
    else if (len == 4)
        memcpy(to, from, 4);
    else
        memmove(to, from, len);
}

/* ---- making windows (make.c) ----------------------------------------------------------------- */

struct mpir_new_win { /* the arguments of the calls that make windows */
    int flavor, disp_unit;
    void *base; /* of MPI_Win_create */
    MPI_Aint size;
    unsigned infos; /* enum adi3_win_info */
    size_t align;   /* mpi_minimum_memory_alignment; 0: not given */
};

/* Makes a window of the processes of c. Collective. When it fails in one process it fails in all:
 * with the error of that process there, and with one of its class elsewhere.
 * Errors: MPI_ERR_NO_MEM, MPI_ERR_RMA_SHARED, MPI_ERR_OTHER. */
int mpir_win_make(struct adi3_comm *c, const struct mpir_new_win *new, struct adi3_win **made);

/* ---- info hints (info.c) --------------------------------------------------------------------- */

/* Changes the bits of the hints that info has; info may be NULL. creating: also those that are for
 * new windows only. Errors: MPI_ERR_INFO_VALUE. */
struct mpir_info;
int mpir_win_hints_read(const struct mpir_info *info, bool creating, unsigned *bits);
int mpir_win_hints_write(const struct adi3_win *w, struct mpir_info *info);
/* All hints of a handle, for new windows. Errors: MPI_ERR_INFO, too. */
int mpir_win_info_arg(MPI_Info h, struct mpir_new_win *new);

#endif /* RMA_H */
