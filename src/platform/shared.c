/* shared.c — shared memory without a name, and locks that the kernel releases when their owner
 * dies.
 *
 * A memfd is in no file system: it needs no /dev/shm and is freed with its last descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "platform/os.h"

enum { LEAST_PIECE = 1 << 16, LENGTH_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

int os_memfd_empty(const char *name)
{
    return os_new_fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

static int set_length(int fd, size_t len)
{
    struct rlimit most;

    /* ftruncate() beyond this limit would send SIGXFSZ. */
    if (!getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur < len)
        return -EFBIG;
    return ftruncate(fd, (off_t) len) || fcntl(fd, F_ADD_SEALS, LENGTH_SEALS) ? -errno : 0;
}

int os_memfd_seal(int fd, size_t len)
{
    int seals = fcntl(fd, F_GET_SEALS);

    if (seals < 0)
        return -errno;
    return seals & F_SEAL_SEAL ? -EPERM /* a file of a tmpfs, which has contents of its own */
                               : set_length(fd, len);
}

int os_memfd(const char *name, size_t len)
{
    int fd = os_memfd_empty(name);

    if (fd < 0)
        return fd;
    int err = set_length(fd, len);
    if (!err)
        return fd;
    (void) close(fd);
    return err;
}

size_t os_sealed_len(int fd)
{
    int seals = fcntl(fd, F_GET_SEALS);
    struct stat s;

    return seals >= 0 && (seals & F_SEAL_SHRINK) && !fstat(fd, &s) ? (size_t) s.st_size : 0;
}

uint64_t os_file_number(int fd)
{
    struct stat s;

    return fstat(fd, &s) ? 0 : (uint64_t) s.st_ino;
}

int os_open_of(pid_t pid, int fd, uint64_t number)
{
    char path[64];

    (void) snprintf(path, sizeof path, "/proc/%d/fd/%d", (int) pid, fd);
    int got = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (got < 0)
        return -errno;
    if (os_file_number(got) == number)
        return os_new_fd(got);
    (void) close(got);
    return -ENOENT;
}

uint64_t os_file_bytes(pid_t pid, int fd, uint64_t number)
{
    char path[64];
    struct stat s;

    (void) snprintf(path, sizeof path, "/proc/%d/fd/%d", (int) pid, fd);
    return stat(path, &s) || (uint64_t) s.st_ino != number ? 0 : (uint64_t) s.st_blocks * 512;
}

void *os_map(int fd, size_t len)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);

    return mem == MAP_FAILED ? NULL : mem;
}

void *os_map_sparse(size_t len)
{
    void *mem = os_map(-1, len);

    if (mem)
        (void) madvise(mem, len, MADV_NOHUGEPAGE); /* one would be used for each small part */
    return mem;
}

void *os_map_aligned(int fd, size_t len, size_t align)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    char *all =
        mmap(NULL, len + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (all == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t) all & (align - 1);
    void *mem =
        mmap(all + before, len, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE | MAP_FIXED, fd, 0);
    if (mem == MAP_FAILED) {
        (void) munmap(all, len + align);
        return NULL;
    }
    if (before)
        (void) munmap(all, before);
    (void) munmap(all + before + len, align - before);
    return mem;
}

int os_map_over(void *mem, size_t len, int fd)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;

    return mmap(mem, len, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0) == MAP_FAILED ? -errno
                                                                                          : 0;
}

void os_unmap(void *mem, size_t len) { (void) munmap(mem, len); }

/* A signal makes fallocate() undo all that this call has reserved. When signals are frequent
 * only smaller parts succeed, so each interruption halves their size. */
int os_reserve(int fd, size_t offset, size_t len)
{
    for (size_t done = 0, piece = len; done < len;) {
        size_t n = piece < len - done ? piece : len - done;
        if (!fallocate(fd, 0, (off_t) (offset + done), (off_t) n)) {
            done += n;
        } else if (errno == EINTR) {
            piece = piece / 2 > LEAST_PIECE ? piece / 2 : LEAST_PIECE;
        } else {
            int err = -errno;
            os_release(fd, offset, done);
            return err;
        }
    }
    return 0;
}

void os_release(int fd, size_t offset, size_t len)
{
    while (len
           && fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) offset, (off_t) len)
           && errno == EINTR)
        ;
}

void os_populate(void *mem, size_t len)
{
#ifdef MADV_POPULATE_WRITE
    (void) madvise(mem, len, MADV_POPULATE_WRITE);
#else
    (void) mem, (void) len;
#endif
}

static struct flock byte_at(size_t offset, short type)
{
    return (struct flock) {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t) offset, .l_len = 1
    };
}

int os_lock_byte(int fd, size_t offset)
{
    struct flock l = byte_at(offset, F_WRLCK);

    return fcntl(fd, F_SETLK, &l) ? -errno : 0;
}

int os_lock_byte_wait(int fd, size_t offset)
{
    struct flock l = byte_at(offset, F_WRLCK);
    int err;

    do
        err = fcntl(fd, F_SETLKW, &l) ? -errno : 0;
    while (err == -EINTR);
    return err;
}

void os_unlock_byte(int fd, size_t offset)
{
    struct flock l = byte_at(offset, F_UNLCK);

    (void) fcntl(fd, F_SETLK, &l);
}

bool os_byte_locked(int fd, size_t offset)
{
    struct flock l = byte_at(offset, F_WRLCK);

    return !fcntl(fd, F_GETLK, &l) && l.l_type != F_UNLCK;
}
