/* host.c — this process's host and command line. */
#include "adi3/base/base.h"
#include "platform/os.h"

const char *adi3_hostname(void)
{
    static char hostname[256];

    if (!*hostname)
        os_hostname(hostname, sizeof hostname);
    return hostname;
}

bool adi3_machine(char *name, size_t len) { return os_machine(name, len); }
size_t adi3_command_line(char *text, size_t len) { return os_command_line(text, len); }
