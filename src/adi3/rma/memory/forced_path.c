/* forced_path.c — STARLING_RMA: the path on which the user wants targets to be reached. */
#include <string.h>
#include "adi3/rma/memory/memory_impl.h"

const char *rma_path_setting = "auto";

static const char *const path_name[] = {
    [RMA_DIRECT] = "direct", [RMA_CMA] = "cma", [RMA_MESSAGES] = "messages"
};

enum { DEVICE_LEAST = 16384 }; /* below that messages are faster, or need no answer of their own */

size_t rma_device_least = DEVICE_LEAST;

static uint32_t forced;

/* What the device does not do goes by messages. */
static bool forces_device(void) { return !strcmp(rma_path_setting, "device"); }

static uint32_t find_forced(void)
{
    for (uint32_t i = 0; i < sizeof path_name / sizeof *path_name; i++)
        if (!strcmp(rma_path_setting, path_name[i]))
            return i + 1;
    return forces_device() ? RMA_MESSAGES + 1 : 0;
}

int rma_check_setting(void)
{
    bool any = !strcmp(rma_path_setting, "auto");

    rma_device_least = any ? DEVICE_LEAST : forces_device() ? 1 : SIZE_MAX;
    forced = find_forced();
    if (any || forced)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "STARLING_RMA=%s: it is auto, direct, cma, device or messages",
                      rma_path_setting);
}

uint32_t rma_forced_path(void) { return forced; }
