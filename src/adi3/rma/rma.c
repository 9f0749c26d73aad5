/* rma.c — the settings, the counters, the begin and the end of one-sided communication. */
#include "adi3/rma/rma.h"
#include "adi3/rma/epoch/rma_epoch.h"
#include "adi3/rma/messages/rma_messages.h"

const struct setting rma_settings[] = {
    { "RMA", SETTING_STRING, &rma_path_setting, "auto",
      "How one-sided operations reach the memory of a process, where it can be reached so: direct "
      "(loads and stores in shared memory), cma (the kernel copies between two processes of a "
      "node), device (the device writes and reads for MPI_Put and MPI_Get, and all else goes by "
      "messages), messages; auto: the first of these that is possible, and the device for large "
      "data alone." },
    { "ALLOC_MEM", SETTING_STRING, &alloc_region_setting, "private",
      "What MPI_Alloc_mem gives where its info key alloc_shm does not decide. private: ordinary "
      "memory; shared: memory that the processes of the node share when MPI_Win_create is called "
      "with it, so that they reach it by loads and stores; a child of fork() shares it, too." },
    { "HUGE_PAGES", SETTING_BOOL, &huge_setting, "no",
      "Whether memory of windows and of MPI_Alloc_mem that is as long as a huge page begins at one "
      "and has huge pages, where the kernel can: private memory, unless "
      "/sys/kernel/mm/transparent_hugepage/enabled is never; shared memory from Linux 6.1 on, "
      "whose pages are moved when they are reserved, which takes time." },
    { 0 }
};

static const void *locked_of_win(const void *win)
{
    return &((const struct adi3_win *) win)->locked;
}

const struct counter rma_counters[] = {
    COUNTER_OBJECT_ROW("rma_locked_targets", COUNTER_LEVEL, COUNTER_OF_WIN, locked_of_win,
                       "targets", "How many processes this one has locked with MPI_Win_lock."),
    { 0 }
};

/* What the program has left: MPI_Finalize frees it. Devices may still use windows whose operations
 * the program has not completed. */
static void wins_finalize(void)
{
    for (struct adi3_win *w = adi3_next(&adi3_wins, NULL), *next; w; w = next) {
        next = adi3_next(&adi3_wins, w);
        if (!rma_is_busy(w))
            adi3_win_free(w);
    }
    rma_cache_drop();
}

int rma_init(void)
{
    static const struct rma_hooks *const hooks[] = { &rma_batch_hooks, &rma_signal_hooks,
                                                     &rma_message_hooks, &rma_pscw_hooks };
    int err = rma_check_setting();

    if (!err)
        err = alloc_region_init();
    if (!err)
        err = rma_cache_init();
    if (!err)
        err = progress_source_add(&progress_share_socket);
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks && !err; i++)
        err = rma_hooks_add(hooks[i]);
    return err;
}

int rma_begin(void)
{
    static const struct base_hooks hooks = { .name = "rma", .finalize = wins_finalize };

    return base_hooks_add(&hooks);
}
