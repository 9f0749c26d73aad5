/* call_file.c — the line of pm_call.h in a file, which only its user may read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "pm/seal/pm_call.h"

static int read_open_file(int fd, char line[PM_CALL_LINE + 1], const char **why)
{
    struct stat s;

    if (fstat(fd, &s))
        return -errno;
    if (!S_ISREG(s.st_mode) || s.st_uid != geteuid() || s.st_mode & (S_IRWXG | S_IRWXO)) {
        *why = "it must be a file of this user that no other may read or write";
        return -EPERM;
    }
    ssize_t n = read(fd, line, PM_CALL_LINE);
    line[n > 0 ? n : 0] = '\0';
    return n < 0 ? -errno : 0;
}

int pm_call_read(const char *file, char line[PM_CALL_LINE + 1], char *why, size_t len)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *because = NULL;
    int err = fd < 0 ? -errno : read_open_file(fd, line, &because);

    if (fd >= 0)
        (void) close(fd);
    if (err)
        (void) snprintf(why, len, "%.200s: %s", file, because ? because : strerror(-err));
    return err;
}
