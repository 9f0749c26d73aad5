/* put.c — writes to peers' memory. A long one is done in chunks, one in each poll. */
#include <errno.h>
#include "devices/shm/cma.h"
#include "devices/shm/peer.h"
#include "devices/shm/put.h"

enum { MOST = 1 << 20 /* bytes at once */ };

/* Writes the next chunk; true when the write has ended, with *err. */
static bool write_chunk(struct dev_put *op, int *err)
{
    const struct shm_peer *p = op->to->priv;
    size_t left = op->len - op->written, n = left < MOST ? left : MOST;

    *err = shm_cma_write(p->tx.fifo->pid, op, op->written, op->written + n);
    op->written += n;
    return *err || op->written == op->len;
}

void shm_put(struct dev_peer *to, struct dev_put *op)
{
    const struct shm_peer *p = to->priv;
    int err = p->gone ? -ECONNRESET : to->can_put ? 0 : -EOPNOTSUPP;

    op->to = to;
    op->written = 0;
    if (err || write_chunk(op, &err)) {
        op->done(op, err);
        return;
    }
    op->next = NULL;
    *shm_last_put = op;
    shm_last_put = &op->next;
    shm_unfinished = true;
}

bool shm_put_poll(void)
{
    struct dev_put *op = shm_putting;
    int err;

    if (!op)
        return false;
    if (!write_chunk(op, &err))
        return true;
    if (!(shm_putting = op->next))
        shm_last_put = &shm_putting;
    op->done(op, err);
    return true;
}
