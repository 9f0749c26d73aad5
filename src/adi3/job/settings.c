/* settings.c — lists the tables of settings of all rooms and devices. */
#include <assert.h>
#include "adi3/clock/clock.h"
#include "adi3/io/io.h"
#include "adi3/job/job_impl.h"
#include "adi3/rma/rma.h"
#include "adi3/shmcoll/shmcoll.h"

static const struct setting *const of_rooms[] = { proc_settings,     p2p_settings,
                                                  progress_settings, shmcoll_settings,
                                                  clock_settings,    rma_settings,
                                                  io_settings,       names_settings };

enum {
    ROOMS = sizeof of_rooms / sizeof *of_rooms,
    MAX_TABLES = ROOMS + ADI3_MAX_DEVICES + 1,
};

const struct setting *const *adi3_settings(void)
{
    static const struct setting *table[MAX_TABLES];
    int n = 0;

    for (int i = 0; i < ROOMS; i++)
        table[n++] = of_rooms[i];
    for (int i = 0; dev_table[i]; i++) {
        assert(n < MAX_TABLES - 1);
        if (dev_table[i]->settings)
            table[n++] = dev_table[i]->settings;
    }
    table[n] = NULL;
    return table;
}
