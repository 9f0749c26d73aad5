/* lustre.c — the stripes of files on Lustre: set when the first process creates the file, and read
 * back in all. Not tried on a Lustre.
 *
 * A stripe is on one server, which gives locks of it to nodes: domains of collective accesses are
 * whole stripes, so that no two processes ask for the same lock. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include "adi3/io/io_impl.h"

enum {
    PLAIN = 0x0bd10bd0, /* stripes of a file without a pool of servers; ... */
    POOL = 0x0bd30bd0,  /* ... with one, whose name stands before the objects */
    OBJECTS = 2000,     /* stripes at most */
    ANY = 0xffff,       /* server */
    USUAL = 1 << 20     /* bytes of a stripe */
};

/* The stripes of a file, as the kernel sets and returns them. A field of 0: the kernel chooses. */
struct stripes {
    uint32_t magic, pattern;
    uint64_t id[2];
    uint32_t unit;
    uint16_t count, first;
    struct {
        uint64_t id[2];
        uint32_t generation, device;
    } object[OBJECTS];
};
_Static_assert(offsetof(struct stripes, object) == 32, "the kernel's layout");

#define SET_STRIPES _IOW('f', 154, long)
#define GET_STRIPES _IOW('f', 155, long)
#define NO_OBJECTS  (O_NOCTTY | FASYNC) /* of open(): the file gets them with the first stripes */

/* Makes the file, if it does not exist. Lustre chooses stripes itself when it refuses these. */
int io_lustre_create(const struct adi3_file *f, int flags)
{
    const struct adi3_hints *h = &f->hints;
    struct stripes *s = calloc(1, sizeof *s);
    int fd = s ? os_file_open(f->path, flags | NO_OBJECTS, h->file_perm) : -ENOMEM;

    if (fd >= 0) {
        s->magic = PLAIN;
        s->unit = (uint32_t) h->striping_unit;
        s->count = (uint16_t) h->striping_factor;
        s->first = h->start_iodevice < ANY ? (uint16_t) h->start_iodevice : ANY;
        (void) ioctl(fd, SET_STRIPES, s);
        (void) os_file_close(fd);
    }
    free(s);
    return fd < 0 ? fd : 0;
}

/* Sets the block and the hints. */
void io_lustre_stripes(struct adi3_file *f)
{
    struct stripes *s = calloc(1, sizeof *s);

    f->block = USUAL;
    if (s) {
        s->magic = PLAIN;
        s->count = OBJECTS;
        if (!ioctl(f->fd, GET_STRIPES, s) && (s->magic == PLAIN || s->magic == POOL) && s->unit) {
            f->block = f->hints.striping_unit = s->unit;
            f->hints.striping_factor = s->count;
            if (s->magic == PLAIN)
                f->hints.start_iodevice = s->object[0].device;
        }
    }
    free(s);
}
