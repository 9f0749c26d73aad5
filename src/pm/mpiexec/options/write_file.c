/* write_file.c — writes a file as a whole: other programs see the old file or the new one, and
 * nothing between. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "pm/mpiexec/options/mpiexec_options.h"

enum { CHUNK = 4096, READER_MS = 2500 };

/* A reader that takes nothing for READER_MS is not waited for. A pipe for which poll says so takes
 * CHUNK bytes. */
static int write_all(int fd, const char *text, size_t len)
{
    while (len) {
        struct pollfd p = { .fd = fd, .events = POLLOUT };
        if (poll(&p, 1, READER_MS) <= 0)
            return -ETIMEDOUT;
        ssize_t n = write(fd, text, len < CHUNK ? len : CHUNK);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t) n : 0;
    }
    return 0;
}

/* A device or a pipe cannot be replaced by another file. */
static int write_directly(const char *file, const char *text, size_t len)
{
    int fd = open(file, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    int err = fd < 0 ? -errno : write_all(fd, text, len);

    if (fd >= 0)
        (void) close(fd);
    return err;
}

/* Writes a temporary file in the folder of `file`, and renames it to `file`. */
static int file_replace(const char *file, const char *text, size_t len)
{
    char temporary[PATH_MAX];
    mode_t mask = umask(0);

    (void) umask(mask);
    if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", file) >= (int) sizeof temporary)
        return -ENAMETOOLONG;
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int err = fchmod(fd, 0666 & ~mask) ? -errno : write_all(fd, text, len);
    if (close(fd) && !err)
        err = -errno;
    if (!err && rename(temporary, file))
        err = -errno;
    if (err)
        (void) unlink(temporary);
    return err;
}

static bool is_special(const char *file)
{
    struct stat s;

    return !stat(file, &s) && !S_ISREG(s.st_mode);
}

int pm_file_write(const char *file, const char *text, size_t len)
{
    if (!strcmp(file, "-"))
        return write_all(STDOUT_FILENO, text, len);
    if (is_special(file))
        return write_directly(file, text, len);
    char *real = realpath(file, NULL); /* a link stays one */
    int err = file_replace(real ? real : file, text, len);
    free(real);
    return err;
}

int pm_file_check(const char *file)
{
    struct stat s;
    const char *slash = strrchr(file, '/');
    char dir[PATH_MAX];

    if (!*file)
        return -ENOENT;
    if (!strcmp(file, "-"))
        return 0;
    if (!stat(file, &s) && S_ISDIR(s.st_mode))
        return -EISDIR;
    if (is_special(file))
        return access(file, W_OK) ? -errno : 0;
    int n = slash ? snprintf(dir, sizeof dir, "%.*s", (int) (slash + 1 - file), file)
                  : snprintf(dir, sizeof dir, ".");
    if (n >= (int) sizeof dir)
        return -ENAMETOOLONG;
    return access(dir, W_OK | X_OK) ? -errno : 0;
}
