/* state.c — the state of the device, of which a process has one. */
#include "devices/libfabric/module/ofi_impl.h"

#define NOT_OPEN .cq_fd = -1, .epoll = -1, .watches = -1, .listener = -1, .probe = -1

struct ofi_device ofi_dev = { NOT_OPEN };

void ofi_reset(const struct dev_env *env)
{
    ofi_dev = (struct ofi_device) { .env = env, .settings = ofi_dev.settings, NOT_OPEN };
}
