/* sources.c — the table of other sources of progress than devices, and one word with a bit for each
 * that has work. */
#include <string.h>
#include "adi3/progress/progress_impl.h"

struct progress_source *progress_sources[PROGRESS_SOURCES_MAX + 1];
unsigned progress_wanted;
bool async_serves;

int progress_source_add(struct progress_source *s)
{
    int n = 0;

    assert(adi3_lock_held() && s->name);
    for (; progress_sources[n]; n++) {
        if (progress_sources[n] == s)
            return MPI_SUCCESS;
        if (!strcmp(progress_sources[n]->name, s->name))
            return adi3_error(MPI_ERR_INTERN, "two sources of progress have the name '%s'",
                              s->name);
    }
    if (n == PROGRESS_SOURCES_MAX)
        return adi3_error(MPI_ERR_INTERN, "no place for the source of progress '%s': %d at most",
                          s->name, PROGRESS_SOURCES_MAX);
    s->bit = 1u << n;
    progress_sources[n] = s;
    return MPI_SUCCESS;
}

bool progress_is_polled(const struct progress_source *s)
{
    return progress_wanted & s->bit && !(async_serves && s->calls_program);
}

__attribute__((noinline)) bool progress_poll_sources(void)
{
    bool moved = false;

    for (int i = 0; progress_sources[i]; i++)
        if (progress_is_polled(progress_sources[i]))
            moved |= progress_sources[i]->poll();
    return moved;
}

void progress_tick(void)
{
    for (int i = 0; progress_sources[i]; i++)
        if (progress_sources[i]->tick)
            progress_sources[i]->tick();
}
