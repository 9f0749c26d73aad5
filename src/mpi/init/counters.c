/* counters.c — all counters of the library, and the report of sleeps. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "mpi/coll/coll.h"
#include "mpi/errhan/errhan.h"
#include "mpi/init/init.h"
#include "mpi/misc/alloc_mem.h"
#include "platform/counter.h"

enum { MAX_TABLES = 24 };

int mpir_counters(const struct counter *const **tables)
{
    static const struct counter *kept[MAX_TABLES];
    const struct counter *table[MAX_TABLES] = { NULL };
    int n = 0;

    table[n++] = mpir_coll_counters;
    table[n++] = mpir_memory_counters;
    for (const struct counter *const *t = adi3_counters(); *t; t++) {
        assert(n < MAX_TABLES - 1);
        table[n++] = *t;
    }
    const struct counter *twice = counter_find_twice(table);
    if (twice)
        return mpir_error(MPI_ERR_INTERN, "two counters have the name '%s'", twice->name);
    memcpy(kept, table, sizeof kept);
    *tables = kept;
    return MPI_SUCCESS;
}

static uint64_t process_value(const struct counter *const tables[], const char *name)
{
    return counter_value(counter_find(tables, name), NULL);
}

void mpir_report_sleeps(void)
{
    const struct counter *const *all;
    char line[128];

    if (!mpir_reports_sleeps)
        return;
    int err = mpir_counters(&all);
    if (!err)
        (void) snprintf(
            line, sizeof line, "slept %" PRIu64 " times, %" PRIu64 " in vain, %" PRIu64 " too long",
            process_value(all, "progress_sleeps"), process_value(all, "progress_sleeps_in_vain"),
            process_value(all, "progress_sleeps_late"));
    mpir_warn(err ? adi3_error_text(err) : line);
}
