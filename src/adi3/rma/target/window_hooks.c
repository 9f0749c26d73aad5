/* window_hooks.c — the rows of functions of files above that act on windows, and calls of them. */
#include <string.h>
#include "adi3/rma/target/target_impl.h"

enum { MOST = 8 };

static const struct rma_hooks *rows[MOST + 1]; /* NULL-ended */

int rma_hooks_add(const struct rma_hooks *h)
{
    int n = 0;

    assert(adi3_lock_held() && h->name);
    for (; rows[n] && rows[n] != h; n++)
        if (!strcmp(rows[n]->name, h->name))
            return adi3_error(MPI_ERR_INTERN, "two rows of hooks of windows have the name '%s'",
                              h->name);
    if (n == MOST)
        return adi3_error(MPI_ERR_INTERN,
                          "no place for the hooks of windows of '%s': %d rows at most", h->name,
                          (int) MOST);
    int err = h->init ? h->init() : MPI_SUCCESS;
    if (!err)
        rows[n] = h;
    return err;
}

static int count_rows(void)
{
    int n = 0;

    while (rows[n])
        n++;
    return n;
}

void rma_hooks_window_free(struct adi3_win *w)
{
    for (int n = count_rows(); n-- > 0;)
        if (rows[n]->window_free)
            rows[n]->window_free(w);
}

void rma_hooks_target_free(struct rma_target *t)
{
    for (int n = count_rows(); n-- > 0;)
        if (rows[n]->target_free)
            rows[n]->target_free(t);
}
