/* counters.c — the counters of progress. */
#include "adi3/progress/progress_impl.h"

const struct counter progress_counters[] = {
    COUNTER_ROW(
        "progress_sleeps", COUNTER_EVENTS, sleep_counts.all, "sleeps",
        "How often the thread that moves messages has slept in the kernel: a thread in a call, "
        "or the thread of the library."),
    COUNTER_ROW("progress_sleeps_in_vain", COUNTER_EVENTS, sleep_counts.in_vain, "sleeps",
                "How many of these sleeps ended after half a second without a wake-up."),
    COUNTER_ROW(
        "progress_sleeps_late", COUNTER_EVENTS, sleep_counts.late, "sleeps",
        "How many of these ended with work there: a sender has not woken this process, which "
        "would be a defect of Starling."),
    COUNTER_ROW("progress_threads_asleep", COUNTER_LEVEL, thread_sleepers, "threads",
                "How many threads sleep in a call, where several threads may call."),
    COUNTER_ROW("progress_poll_yields", COUNTER_EVENTS, yield_counts.polls, "yields",
                "How often a poll that found nothing has given up the core, where processes of the "
                "node share it."),
    COUNTER_ROW("progress_yield_bans", COUNTER_EVENTS, yield_counts.bans, "bans",
                "How often other programs have kept the core so long that this process slept "
                "instead of yielding for a while."),
    { 0 }
};
