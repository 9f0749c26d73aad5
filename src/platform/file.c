/* file.c — files of the program: what MPI-IO reads and writes. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "platform/os.h"

enum { IOVS = 1024 }; /* the kernel's limit */

int os_file_open(const char *path, int flags, unsigned mode)
{
    int fd;

    while ((fd = open(path, flags | O_CLOEXEC, (mode_t) mode)) < 0 && errno == EINTR)
        ;
    return os_new_fd(fd);
}

int os_file_close(int fd) { return close(fd) && errno != EINTR ? -errno : 0; }

int os_file_delete(const char *path) { return unlink(path) ? -errno : 0; }

int64_t os_file_read(int fd, struct os_iov v, uint64_t at)
{
    ssize_t n = v.n == 1 ? pread(fd, v.v->iov_base, v.v->iov_len, (off_t) at)
                         : preadv(fd, v.v, v.n < IOVS ? v.n : IOVS, (off_t) at);

    return n < 0 ? -errno : n;
}

int64_t os_file_write(int fd, struct os_iov v, uint64_t at)
{
    ssize_t n = v.n == 1 ? pwrite(fd, v.v->iov_base, v.v->iov_len, (off_t) at)
                         : pwritev(fd, v.v, v.n < IOVS ? v.n : IOVS, (off_t) at);

    return n < 0 ? -errno : n;
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

int os_file_allocate(int fd, uint64_t size)
{
    int rc;

    while ((rc = fallocate(fd, 0, 0, (off_t) size)) && errno == EINTR)
        ;
    return rc ? -errno : 0;
}

int os_file_sync(int fd)
{
    int rc;

    while ((rc = fdatasync(fd)) && errno == EINTR)
        ;
    return rc && errno != EINVAL && errno != EROFS ? -errno : 0;
}

uint64_t os_boot_number(void)
{
    const uint64_t prime = 0x100000001b3; /* of FNV-1a */
    char text[64];
    uint64_t hash = 0;

    os_read_text("/proc/sys/kernel/random/boot_id", text, sizeof text);
    for (const char *p = text; *p; p++)
        hash = (hash ^ (unsigned char) *p) * prime;
    return hash;
}

uint64_t os_file_system(int fd)
{
    struct statfs s;

    return fstatfs(fd, &s) ? 0 : (uint64_t) s.f_type & 0xffffffff;
}

/* The folder of a path, as a descriptor or a negative errno. */
static int open_folder(const char *path, int flags)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t) (slash - path) : 0;

    if (len >= sizeof folder)
        return -ENAMETOOLONG;
    memcpy(folder, slash ? path : ".", slash ? len : 1);
    folder[slash ? len : 1] = 0;
    return os_file_open(slash && !len ? "/" : folder, flags | O_DIRECTORY, 0);
}

uint64_t os_folder_system(const char *path)
{
    int fd = open_folder(path, O_PATH);
    uint64_t magic = fd < 0 ? 0 : os_file_system(fd);

    if (fd >= 0)
        (void) close(fd);
    return magic;
}

/* A file is found after a crash of the machine only when its folder is written, too. */
int os_file_sync_folder(const char *path)
{
    int fd = open_folder(path, O_RDONLY);

    if (fd < 0)
        return fd == -EACCES ? 0 : fd; /* a folder that may be searched, but not read */
    int err = fsync(fd) && errno != EINVAL ? -errno : 0;
    (void) close(fd);
    return err;
}

/* A lock of the open file, not of the process: it ends when no process has the file open by it, and
 * not when another descriptor of the same file is closed. */
static int file_fcntl_lock(int fd, int command, short kind, uint64_t at, uint64_t len)
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
    return file_fcntl_lock(fd, F_OFD_SETLKW, writes ? F_WRLCK : F_RDLCK, at, len);
}

void os_file_unlock(int fd, uint64_t at, uint64_t len)
{
    (void) file_fcntl_lock(fd, F_OFD_SETLK, F_UNLCK, at, len);
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
