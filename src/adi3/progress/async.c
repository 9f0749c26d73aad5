/* async.c — asynchronous progress: a thread of the library that moves messages while the program
 * computes.
 *
 * With STARLING_ASYNC_PROGRESS the thread leads while no other thread waits, and sleeps until there
 * is something to do. */
#include <string.h>
#include "progress_impl.h"

bool adi3_async;

static struct os_thread async_thread;
static bool async_ends;

static void *run(void *nothing)
{
    struct adi3_wait w = { .idle = true };

    adi3_lock();
    while (!async_ends)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    adi3_unlock();
    return nothing;
}

int thread_init(bool several)
{
    adi3_threads = several || adi3_async;
    async_ends = false;
    int err = adi3_async ? os_thread_start(&async_thread, run) : 0;
    if (err)
        return adi3_error(MPI_ERR_OTHER, "STARLING_ASYNC_PROGRESS: no thread: %s", strerror(-err));
    return MPI_SUCCESS;
}

void thread_finalize(void)
{
    assert(adi3_lock_held());
    if (!adi3_async)
        return;
    async_ends = true;
    thread_wake_all();
    adi3_unlock();
    os_thread_join(&async_thread);
    adi3_lock();
}
