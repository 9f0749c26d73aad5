/* counters.c — lists the tables of counters of all rooms and devices. */
#include <assert.h>
#include "adi3/io/io.h"
#include "adi3/job/job_impl.h"
#include "adi3/rma/rma.h"
#include "adi3/shmcoll/shmcoll.h"

enum { ROOMS = 5, MAX_TABLES = ROOMS + ADI3_MAX_DEVICES + 1 };

const struct counter *const *adi3_counters(void)
{
    static const struct counter *table[MAX_TABLES] = { progress_counters, p2p_counters,
                                                       shmcoll_counters, rma_counters,
                                                       io_counters };
    int n = ROOMS;

    for (int i = 0; dev_table[i]; i++) {
        assert(n < MAX_TABLES - 1);
        if (dev_table[i]->counters)
            table[n++] = dev_table[i]->counters;
    }
    return table;
}
