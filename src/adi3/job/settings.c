/* settings.c — lists the tables of settings of all rooms and devices. */
#include "clock.h"
#include "io.h"
#include "job_impl.h"
#include "rma.h"
#include "shmcoll.h"

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
