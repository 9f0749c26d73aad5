/* rma.c — the begin and end of one-sided communication. */
#include "rma_impl.h"

/* What the program has left: MPI_Finalize frees it. Devices may still use windows whose operations
 * the program has not completed. */
static void finalize(void)
{
    for (struct adi3_win *w = adi3_next(&adi3_wins, NULL), *next; w; w = next) {
        next = adi3_next(&adi3_wins, w);
        if (!rma_is_busy(w))
            adi3_win_free(w);
    }
    rma_spare_drop();
}

int rma_init(void)
{
    int err = rma_check_setting();

    err = err ? err : area_init();
    err = err ? err : progress_source_add(&progress_door);
    err = err ? err : rma_lock_init();
    err = err ? err : rma_signal_init();
    err = err ? err : message_init();
    return err ? err : serve_init();
}

int rma_begin(void)
{
    static const struct base_hooks hooks = { .name = "rma",
                                             .devices_end = rma_devices_end,
                                             .finalize = finalize };

    return base_hooks_add(&hooks);
}
