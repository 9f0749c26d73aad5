/* locks.c — locks of ranges of a file: they exclude the accesses of processes in atomic mode, and
 * let a node read what others have written, where nodes keep what they have read.
 *
 * The locks of an open file do not exclude its own threads, and one of them unlocks what another
 * has locked: only one thread of a process has one. */
#include <errno.h>
#include "adi3/io/io_impl.h"

static struct os_lock own;

/* A file system that disturbs is as if processes were on several nodes. */
bool io_lags(const struct adi3_file *f)
{
    return f->system->lags && (f->system->disturbs || !adi3_world.together || !f->comm->together);
}

int io_lock(const struct adi3_file *f, bool writes, uint64_t at, uint64_t len)
{
    os_lock_take(&own);
    int err = f->system->calls->lock(f->fd, writes, at, len);
    if (err)
        os_lock_drop(&own);
    return err == -ENOSYS || err == -EOPNOTSUPP ? -ENOLCK : err;
}

void io_unlock(const struct adi3_file *f, uint64_t at, uint64_t len)
{
    f->system->calls->unlock(f->fd, at, len);
    os_lock_drop(&own);
}

/* A lock that is granted makes the node forget what it has read, and the size. */
int io_refresh(const struct adi3_file *f)
{
    int err = io_lags(f) ? io_lock(f, f->amode & MPI_MODE_WRONLY, 0, 1) : 0;

    if (!err && io_lags(f))
        io_unlock(f, 0, 1);
    return err;
}
