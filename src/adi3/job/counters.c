/* counters.c — lists the tables of counters of all rooms and devices. */
#include <assert.h>
#include "adi3/io/io.h"
#include "adi3/job/job_impl.h"
#include "adi3/rma/rma.h"
#include "adi3/shmcoll/shmcoll.h"

static const struct counter *const of_rooms[] = { progress_counters, p2p_counters, shmcoll_counters,
                                                  rma_counters, io_counters };

enum {
    ROOMS = sizeof of_rooms / sizeof *of_rooms,
    MAX_TABLES = ROOMS + ADI3_MAX_DEVICES + 1,
};

const struct counter *const *adi3_counters(void)
{
    static const struct counter *table[MAX_TABLES];
    int n = 0;

    for (int i = 0; i < ROOMS; i++)
        table[n++] = of_rooms[i];
    for (int i = 0; dev_table[i]; i++) {
        assert(n < MAX_TABLES - 1);
        if (dev_table[i]->counters)
            table[n++] = dev_table[i]->counters;
    }
    return table;
}
