/* stand_in.c — the rank that stands in for a process that was started without mpiexec. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/mpiexec/stand_in.h"
#include "pm/node/log.h"
#include "pm/pmi/pmi_line.h"

int pm_stand_in(void)
{
    const char *text = getenv("PMI_FD");
    int fd, err = -EINVAL;
    char byte;

    if (text && !pmi_parse_int(text, strlen(text), &fd) && os_is_open_socket(fd))
        err = os_fd_send(STDIN_FILENO, fd);
    if (err) {
        pm_log("cannot stand in for another process: %s", strerror(-err));
        return EXIT_FAILURE;
    }
    (void) close(fd);
    while (read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR)
        errno = 0;
    return EXIT_SUCCESS;
}
