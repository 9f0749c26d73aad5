/* target_impl.h — shared between the files of src/adi3/rma/target, and no others. */
#ifndef TARGET_IMPL_H
#define TARGET_IMPL_H

#include "adi3/adi3_p2p.h"
#include "adi3/datatype/datatype.h"
#include "adi3/rma/target/rma_target.h"

/* ---- targets (target.c) ---------------------------------------------------------------------- */

bool rma_needs_help(struct adi3_win *w);        /* some targets are reached by messages */
struct rma_target ***rma_targets_new(int size); /* for so many processes: none; or NULL */
void rma_targets_free(struct adi3_win *w);

/* ---- what files above do with windows (window_hooks.c) --------------------------------------- */

void rma_hooks_window_free(struct adi3_win *w);
void rma_hooks_target_free(struct rma_target *t);

/* ---- ranges (range.c) ------------------------------------------------------------------------ */

/* The bytes that count elements take in memory: the first and the one behind the last, from the
 * address of the buffer. False: more than an address can have. */
bool rma_span(const struct adi3_type *t, size_t count, MPI_Aint *low, MPI_Aint *high);

/* ---- dynamic windows (dynamic.c) ------------------------------------------------------------- */

void rma_regions_free(struct rma_regions **r);
/* Whether two ranges of bytes overlap; whether a range overlaps an attached region. */
bool rma_ranges_overlap(uintptr_t a, size_t a_len, uintptr_t b, size_t b_len);
bool rma_regions_overlap(const struct rma_regions *r, uintptr_t at, size_t size);

#endif /* TARGET_IMPL_H */
