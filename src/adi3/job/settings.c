/* settings.c — lists the tables of settings of all rooms and devices. */
#include "adi3/clock/clock.h"
#include "adi3/io/io.h"
#include "adi3/job/job_impl.h"
#include "adi3/rma/rma.h"
#include "adi3/shmcoll/shmcoll.h"

enum { MAX_TABLES = 7 + 8 + 1 };

const struct setting *const *adi3_settings(void)
{
    static const struct setting *table[MAX_TABLES] = { proc_settings,     p2p_settings,
                                                       progress_settings, shmcoll_settings,
                                                       clock_settings,    rma_settings,
                                                       io_settings };
    int n = 7;

    for (int i = 0; dev_table[i] && n < MAX_TABLES - 1; i++)
        if (dev_table[i]->settings)
            table[n++] = dev_table[i]->settings;
    table[n] = NULL;
    return table;
}
