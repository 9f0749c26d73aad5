/* login.c — environment variables that belong to a host or a login. Those of mpiexec mean nothing
 * on another host: there a process gets what the login there has set. */
#include <string.h>
#include "pm/node/pm_node.h"

static const char *const names[] = {
    "HOSTNAME",
    "HOST",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "MAIL",
    "DISPLAY",
    "XAUTHORITY",
    "SESSIONTYPE",
    "SESSION_MANAGER",
    "WAYLAND_DISPLAY",
    "OLDPWD",
    "SHLVL",
    "TTY",
    "WINDOWID",
    "_",
    "DBUS_SESSION_BUS_ADDRESS",
};
static const char *const starts[] = { "SSH_", "XDG_SESSION_", "XDG_RUNTIME_", "XDG_SEAT",
                                      "XDG_VTNR" };

bool pm_is_of_login(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && !memcmp(names[i], name, len))
            return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strlen(starts[i]) <= len && !memcmp(starts[i], name, strlen(starts[i])))
            return true;
    return false;
}
