/* chaos.c — a file system that does to its users all that one may do, and on demand what one should
 * not. For tests.
 *
 * It surrounds the calls of the kernel. As nfs it feigns what a node does with its pages: what is
 * written without a lock is written back with the rest of its pages, as it was read before. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/io/io_impl.h"
#include "platform/golden_ratio.h"

enum { LATEST = 100 * 1000 /* ns */, PAGE = 4096, PAGES = 16 * PAGE, STRIPE = 64 << 10, MOST = 95 };

struct io_chaos io_chaos = { .error = "EIO" };

static _Atomic uint64_t state;
static _Atomic int locked;

/* The random numbers differ from process to process. Threads take them in any order. */
void io_chaos_begin(void)
{
    uint64_t seed = (uint32_t) io_chaos.seed;

    if (atomic_load(&state))
        return;
    atomic_store(&state, (seed << 20) + (uint64_t) adi3_world.rank + 1);
    io_chaos.again = io_chaos.again < MOST ? io_chaos.again : MOST;
}

static size_t random_draw(size_t below) /* splitmix64 */
{
    const uint64_t step = GOLDEN_RATIO_64;
    uint64_t z = atomic_fetch_add(&state, step) + step;

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t) ((z ^ z >> 31) % below);
}

static bool is_chance_hit(int percent) { return (int) random_draw(100) < percent; }

int io_chaos_error(void)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = { { "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT } };

    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(errors[i].name, io_chaos.error))
            return -errors[i].number;
    return 0;
}

/* ---- reading and writing --------------------------------------------------------------------- */

static int chaos_disturb(void)
{
    if (is_chance_hit(io_chaos.late))
        os_sleep_ns(random_draw(LATEST));
    if (is_chance_hit(io_chaos.again))
        return random_draw(2) ? -EINTR : -EAGAIN;
    return is_chance_hit(io_chaos.fail) ? io_chaos_error() : 0;
}

typedef int64_t transfer(int fd, struct os_iov v, uint64_t at);

/* The call, or a part of it that ends at any byte. */
static int64_t transfer_cut_short(transfer *call, int fd, struct os_iov v, uint64_t at)
{
    int err = chaos_disturb();

    if (err)
        return err;
    if (!is_chance_hit(io_chaos.cut))
        return call(fd, v, at);
    v.n = 1 + (int) random_draw((size_t) v.n);
    struct iovec *last = &v.v[v.n - 1], whole = *last;
    last->iov_len = whole.iov_len ? 1 + random_draw(whole.iov_len) : 0;
    int64_t n = call(fd, v, at);
    *last = whole;
    return n;
}

static int64_t chaos_read(int fd, struct os_iov v, uint64_t at)
{
    return transfer_cut_short(os_file_read, fd, v, at);
}

static int64_t chaos_write(int fd, struct os_iov v, uint64_t at)
{
    return transfer_cut_short(os_file_write, fd, v, at);
}

/* Writes the first buffer with the rest of its pages, when the file can be read. */
static int64_t write_pages(int fd, struct os_iov v, uint64_t at)
{
    uint64_t from = at - at % PAGE, len = v.v->iov_len, to;
    char *pages = malloc(PAGES);

    len = len < PAGES - (at - from) ? len : PAGES - (at - from);
    to = (at + len + PAGE - 1) / PAGE * PAGE;
    struct iovec all = { pages, (size_t) (to - from) };
    int64_t n = pages ? os_file_read(fd, (struct os_iov) { &all, 1 }, from) : -ENOMEM;
    if (n >= 0) {
        os_sleep_ns(random_draw(LATEST));
        uint64_t end = from + (uint64_t) n > at + len ? from + (uint64_t) n : at + len;
        if (from + (uint64_t) n < at) /* the end of the file is before it */
            memset(pages + n, 0, (size_t) (at - from) - (size_t) n);
        memcpy(pages + (at - from), v.v->iov_base, (size_t) len);
        all.iov_len = (size_t) (end - from);
        n = os_file_write(fd, (struct os_iov) { &all, 1 }, from);
        n = n < 0 ? n : n < (int64_t) (at - from + len) ? -EIO : (int64_t) len;
    } else if (n == -EBADF)
        n = os_file_write(fd, v, at);
    free(pages);
    return n;
}

static int64_t nfs_write(int fd, struct os_iov v, uint64_t at)
{
    return transfer_cut_short(atomic_load(&locked) || !v.v->iov_len ? os_file_write : write_pages,
                              fd, v, at);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Not every file system can. */
static int chaos_allocate(int fd, uint64_t size)
{
    (void) fd;
    (void) size;
    return -EOPNOTSUPP;
}

static int chaos_sync(int fd)
{
    return is_chance_hit(io_chaos.fail) ? io_chaos_error() : os_file_sync(fd);
}

static int chaos_lock(int fd, bool writes, uint64_t at, uint64_t len)
{
    static const int refused[] = { -ENOLCK, -ENOSYS, -EOPNOTSUPP };

    if (io_chaos.no_locks)
        return refused[random_draw(sizeof refused / sizeof *refused)];
    if (is_chance_hit(io_chaos.late))
        os_sleep_ns(random_draw(LATEST));
    int err = os_file_lock(fd, writes, at, len);
    atomic_fetch_add(&locked, !err);
    return err;
}

static void chaos_unlock(int fd, uint64_t at, uint64_t len)
{
    atomic_fetch_sub(&locked, 1);
    os_file_unlock(fd, at, len);
}

/* Feigns that the stripes are as the hints have them. */
void io_chaos_stripes(struct adi3_file *f)
{
    if (!f->hints.striping_unit)
        f->hints.striping_unit = STRIPE;
    f->block = f->hints.striping_unit;
}

const struct io_calls io_chaos_calls = { chaos_read,     chaos_write, os_file_size, os_file_resize,
                                         chaos_allocate, chaos_sync,  chaos_lock,   chaos_unlock };
const struct io_calls io_chaos_nfs_calls = { chaos_read,     nfs_write,      os_file_size,
                                             os_file_resize, chaos_allocate, chaos_sync,
                                             chaos_lock,     chaos_unlock };
