/* full_transfer.c — reads and writes all bytes of a list of buffers, however few a call of the file
 * system moves, and whatever interrupts it. */
#include <errno.h>
#include <stdlib.h>
#include "adi3/io/io_impl.h"

enum { ZEROS = 1 << 20, SHORTEST = 10 * 1000, LONGEST = 10 * 1000 * 1000 };
#define PATIENCE ((uint64_t) 10 * 1000 * 1000 * 1000)

typedef int64_t transfer(int fd, struct os_iov v, uint64_t at);

/* Takes len bytes away from the front of a list of buffers. */
static void iov_advance(struct os_iov *v, size_t len)
{
    for (; v->n > 0 && len >= v->v->iov_len; v->v++, v->n--)
        len -= v->v->iov_len;
    if (v->n > 0) {
        v->v->iov_base = (char *) v->v->iov_base + len;
        v->v->iov_len -= len;
    }
}

/* Waits before the next try, longer each time. False: it has been waiting for 10 s. */
static bool wait_for_file(uint64_t *waited)
{
    uint64_t pause = *waited < SHORTEST ? SHORTEST : *waited < LONGEST ? *waited : LONGEST;

    if (*waited >= PATIENCE)
        return false;
    os_sleep_ns(pause);
    *waited += pause;
    return true;
}

/* What can go past the cache: whole blocks of the file at addresses of blocks. Sets *one to those
 * at the front of the list, or what is before the first of them. Returns the descriptor to use; -1:
 * the list cannot go that way. */
static int next_direct(const struct adi3_file *f, int direct, struct os_iov v, uint64_t at,
                       struct iovec *one)
{
    size_t before = (size_t) (-at % IO_BLOCK);

    *one = *v.v;
    if (direct < 0 || ((uintptr_t) one->iov_base + before) % IO_BLOCK
        || one->iov_len < before + IO_BLOCK)
        return -1;
    one->iov_len = before ? before : one->iov_len - one->iov_len % IO_BLOCK;
    return before ? f->fd : direct;
}

/* direct: the descriptor for that, or -1. */
static int iov_transfer_all(const struct adi3_file *f, transfer *call, int direct, struct os_iov v,
                            uint64_t *at)
{
    uint64_t waited = 0;

    iov_advance(&v, 0);
    while (v.n > 0) {
        struct iovec one;
        int fd = next_direct(f, direct, v, *at, &one);
        int64_t n = fd < 0 ? call(f->fd, v, *at) : call(fd, (struct os_iov) { &one, 1 }, *at);
        if (n == -EINVAL && fd >= 0) { /* its blocks are larger */
            direct = -1;
            continue;
        }
        if (n == -EINTR || (n == -EAGAIN && wait_for_file(&waited)))
            continue;
        if (n <= 0)
            return (int) n;
        *at += (uint64_t) n;
        iov_advance(&v, (size_t) n);
        waited = 0;
    }
    return 0;
}

static uint64_t iov_length(struct os_iov v)
{
    uint64_t len = 0;

    for (int i = 0; i < v.n; i++)
        len += v.v[i].iov_len;
    return len;
}

int io_read(const struct adi3_file *f, struct os_iov v, uint64_t *at)
{
    return iov_transfer_all(f, f->system->calls->read, f->hints.direct_read ? f->direct : -1, v,
                            at);
}

int io_write(const struct adi3_file *f, struct os_iov v, uint64_t *at)
{
    uint64_t end = *at + iov_length(v);
    int direct = f->hints.direct_write ? f->direct : -1;
    int err = iov_transfer_all(f, f->system->calls->write, direct, v, at);

    if (!err && *at != end)
        err = -EIO;
    return err;
}

/* Writes zeros behind the end. What is before it may have holes, which stay. */
static int file_write_zeros(const struct adi3_file *f, uint64_t to)
{
    char *zeros = calloc(1, ZEROS);
    uint64_t from;
    int err = zeros ? f->system->calls->size(f->fd, &from) : -ENOMEM;

    while (!err && from < to) {
        struct iovec v = { zeros, to - from < ZEROS ? (size_t) (to - from) : ZEROS };
        err = io_write(f, (struct os_iov) { &v, 1 }, &from);
    }
    free(zeros);
    return err;
}

int io_allocate(const struct adi3_file *f, uint64_t size)
{
    int err = size ? f->system->calls->allocate(f->fd, size) : 0;

    return err == -EOPNOTSUPP || err == -ENOSYS ? file_write_zeros(f, size) : err;
}
