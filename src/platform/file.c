/* file.c — files of the program: what MPI-IO reads and writes.
 *
 * A call of the kernel moves at most 0x7ffff000 bytes, and may move fewer, or be interrupted by a
 * signal: these functions go on until all is moved. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "os.h"

enum { IOVS = 1024, ZEROS = 1 << 20 };

int os_file_open(const char *path, int flags, unsigned mode)
{
    int fd;

    while ((fd = open(path, flags | O_CLOEXEC, (mode_t) mode)) < 0 && errno == EINTR)
        ;
    return os_new_fd(fd);
}

int os_file_close(int fd) { return close(fd) && errno != EINTR ? -errno : 0; }

int os_file_delete(const char *path) { return unlink(path) ? -errno : 0; }

/* Takes len bytes away from the front of a list of buffers. */
static void advance(struct os_iov *v, size_t len)
{
    for (; v->n > 0 && len >= v->v->iov_len; v->v++, v->n--)
        len -= v->v->iov_len;
    if (v->n > 0) {
        v->v->iov_base = (char *) v->v->iov_base + len;
        v->v->iov_len -= len;
    }
}

typedef ssize_t transfer(int fd, const struct iovec *v, int n, off_t at);

static int move(transfer *step, int fd, struct os_iov *v, uint64_t *at)
{
    advance(v, 0);
    while (v->n > 0) {
        ssize_t n = step(fd, v->v, v->n < IOVS ? v->n : IOVS, (off_t) *at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : 0;
        *at += (size_t) n;
        advance(v, (size_t) n);
    }
    return 0;
}

int os_file_read(int fd, struct os_iov *v, uint64_t *at) { return move(preadv, fd, v, at); }

int os_file_write(int fd, struct os_iov *v, uint64_t *at)
{
    int err = move(pwritev, fd, v, at);

    return err || v->n == 0 ? err : -EIO;
}

int os_file_size(int fd, uint64_t *size)
{
    struct stat s;

    if (fstat(fd, &s))
        return -errno;
    *size = (uint64_t) s.st_size;
    return 0;
}

bool os_file_is_folder(int fd)
{
    struct stat s;

    return !fstat(fd, &s) && S_ISDIR(s.st_mode);
}

int os_file_resize(int fd, uint64_t size)
{
    int rc;

    while ((rc = ftruncate(fd, (off_t) size)) && errno == EINTR)
        ;
    return rc ? -errno : 0;
}

/* Writes zeros behind the end. What is before it may have holes, which stay. */
static int extend(int fd, uint64_t from, uint64_t to)
{
    char *zeros = calloc(1, ZEROS);
    int err = zeros ? 0 : -ENOMEM;

    while (!err && from < to) {
        struct iovec v = { zeros, to - from < ZEROS ? (size_t) (to - from) : ZEROS };
        err = os_file_write(fd, &(struct os_iov) { &v, 1 }, &from);
    }
    free(zeros);
    return err;
}

int os_file_allocate(int fd, uint64_t size)
{
    uint64_t old;
    int err = os_file_size(fd, &old), rc;

    if (err || size == 0)
        return err;
    while ((rc = fallocate(fd, 0, 0, (off_t) size)) && errno == EINTR)
        ;
    if (!rc)
        return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS ? extend(fd, old, size) : -errno;
}

int os_file_sync(int fd) { return fdatasync(fd) && errno != EINVAL && errno != EROFS ? -errno : 0; }

/* A file is found after a crash of the machine only when its folder is written, too. */
int os_file_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t) (slash - path) : 0;

    if (len >= sizeof folder)
        return -ENAMETOOLONG;
    memcpy(folder, slash ? path : ".", slash ? len : 1);
    folder[slash ? len : 1] = 0;
    int fd = os_file_open(slash && !len ? "/" : folder, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return fd == -EACCES ? 0 : fd; /* a folder that may be searched, but not read */
    int err = fsync(fd) && errno != EINVAL ? -errno : 0;
    (void) close(fd);
    return err;
}

uint64_t os_file_system(int fd)
{
    struct statfs s;

    return fstatfs(fd, &s) ? 0 : (uint64_t) s.f_type & 0xffffffff;
}

/* A lock of the open file, not of the process: it ends when no process has the file open by it, and
 * not when another descriptor of the same file is closed. */
static int lock(int fd, int command, short kind, uint64_t at, uint64_t len)
{
    struct flock l = {
        .l_type = kind, .l_whence = SEEK_SET, .l_start = (off_t) at, .l_len = (off_t) len
    };
    int rc;

    while ((rc = fcntl(fd, command, &l)) && errno == EINTR)
        ;
    return rc ? -errno : 0;
}

int os_file_lock(int fd, bool writes, uint64_t at, uint64_t len)
{
    return lock(fd, F_OFD_SETLKW, writes ? F_WRLCK : F_RDLCK, at, len);
}

void os_file_unlock(int fd, uint64_t at, uint64_t len)
{
    (void) lock(fd, F_OFD_SETLK, F_UNLCK, at, len);
}

int os_file_lines(const char *path, void (*each)(void *arg, char *line), void *arg)
{
    FILE *f = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;

    if (!f)
        return -errno;
    errno = 0;
    while (getline(&line, &room, f) >= 0) {
        line[strcspn(line, "\n")] = 0;
        each(arg, line);
    }
    int err = ferror(f) ? -errno : 0;
    free(line);
    (void) fclose(f);
    return err;
}
