/* lock.c — the one lock of ADI3; MPI calls take it where several threads may call at once. */
#include "base.h"
#include "os.h"

bool adi3_threads;

static struct os_lock lock;
static _Thread_local bool mine; /* this thread has the lock; only where BASE_ASSERTS */

void adi3_lock(void)
{
    assert(!mine);
    os_lock_take(&lock);
    if (BASE_ASSERTS)
        mine = true;
}

void adi3_unlock(void)
{
    assert(mine);
    if (BASE_ASSERTS)
        mine = false;
    os_lock_drop(&lock);
}

bool adi3_lock_held(void)
{
    return !adi3_threads || (BASE_ASSERTS ? mine : os_lock_is_held(&lock));
}

bool adi3_unlock_for(size_t len)
{
    bool unlock = adi3_threads && len > ADI3_UNLOCK_BYTES;

    assert(adi3_lock_held());
    if (unlock)
        adi3_unlock();
    return unlock;
}
