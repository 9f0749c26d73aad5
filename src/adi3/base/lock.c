/* lock.c — the lock of ADI3, which calls take only where several threads may call at once. */
#include "base.h"
#include "os.h"

bool adi3_threads;

static struct os_lock lock;

void adi3_lock(void) { os_lock_take(&lock); }
void adi3_unlock(void) { os_lock_drop(&lock); }
bool adi3_lock_held(void) { return !adi3_threads || os_lock_is_held(&lock); }

bool adi3_unlock_for(size_t len)
{
    bool unlock = adi3_threads && len > ADI3_UNLOCK_BYTES;

    if (unlock)
        adi3_unlock();
    return unlock;
}
