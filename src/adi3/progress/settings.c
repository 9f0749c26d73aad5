/* settings.c — the settings of progress. */
#include <strings.h>
#include "adi3/progress/progress_impl.h"

static const char *async_setting = "auto";
bool adi3_async, async_may_serve;

const struct setting progress_settings[] = {
    { "ASYNC_PROGRESS", SETTING_STRING, &async_setting, "auto",
      "Whether a thread of the library moves messages while the program computes. on: always, and "
      "all calls take a lock; off: never; auto: while there is a window whose memory other "
      "processes reach by messages. The thread sleeps while there is nothing to do. With auto the "
      "calls of a program of one thread execute no atomic operation for it; where the kernel has "
      "no membarrier they execute a fence." },
    { 0 }
};

int async_check_setting(void)
{
    const struct setting as_bool = { .type = SETTING_BOOL, .value = &adi3_async };
    char why[128];

    adi3_async = false;
    async_may_serve = !strcasecmp(async_setting, "auto");
    if (async_may_serve || !setting_parse(&as_bool, async_setting, why, sizeof why))
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "STARLING_ASYNC_PROGRESS=%s: it is auto, on or off",
                      async_setting);
}
