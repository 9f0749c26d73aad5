/* bsend.c — buffered mode: messages in the memory that the program has attached (§3.6).
 *
 * A message takes a block: its bytes and MPI_BSEND_OVERHEAD, in which our header and its alignment
 * have room. Blocks are allocated as in the standard's model (§3.6.1): behind the newest one, else
 * at the beginning. So there is room whenever the model has some. Where the model has none, any gap
 * that is long enough is used. */
#include <string.h>
#include "adi3/p2p/p2p_impl.h"

enum { ALIGNED = 16, MOST_POLLS = 1000 };

struct block { /* the header, with the message behind it; in a ring, in order of addresses */
    _Alignas(ALIGNED) struct block *next;
    struct block *prev;
    char *begin, *end; /* of the block, with the bytes that alignment takes */
};
_Static_assert(sizeof(struct block) + ALIGNED <= MPI_BSEND_OVERHEAD, "the header is small");

static struct {
    void *user; /* as attached */
    size_t len;
    bool attached, detaching;
    const char *call;     /* the MPI call that attached it */
    struct block ring;    /* stands for all that is outside: begins at the buffer's end, ends at its
                             beginning */
    struct block *newest; /* when it has been freed, the block before it */
    char *tail;           /* where the newest one ended */
} buffer;

/* ---- memory ---------------------------------------------------------------------------------- */

/* The free bytes between `from` and the block behind s. */
static size_t block_gap_after(const struct block *s, const char *from)
{
    const char *limit = s->next->begin;

    return limit > from ? (size_t) (limit - from) : 0;
}

/* Finds room for a block of that size: sets *at to its address and returns the block before it.
 * NULL: no gap is long enough. */
static struct block *find_room(size_t size, char **at)
{
    struct block *s = buffer.newest;

    if (block_gap_after(s, *at = buffer.tail) >= size)
        return s;
    for (s = &buffer.ring; block_gap_after(s, *at = s->end) < size; s = s->next)
        if (s->next == &buffer.ring)
            return NULL;
    return s;
}

static struct block *block_insert(struct block *after, char *at, size_t size)
{
    uintptr_t aligned = ((uintptr_t) at + ALIGNED - 1) / ALIGNED * ALIGNED;
    struct block *s = (struct block *) aligned;

    assert((char *) (s + 1) <= at + size);
    s->begin = at;
    s->end = at + size;
    s->prev = after;
    s->next = after->next;
    s->next->prev = after->next = s;
    buffer.newest = s;
    buffer.tail = s->end;
    return s;
}

static void free_block(struct block *s)
{
    assert(s != &buffer.ring && s->next->prev == s && s->prev->next == s);
    s->next->prev = s->prev;
    s->prev->next = s->next;
    if (buffer.newest == s)
        buffer.newest = s->prev;
    if (buffer.ring.next == &buffer.ring)
        buffer.tail = buffer.user;
}

static size_t size_for(size_t len) { return len + MPI_BSEND_OVERHEAD; }

static int no_room(size_t len)
{
    size_t used = 0;

    if (!buffer.attached)
        return adi3_error(MPI_ERR_BUFFER,
                          "no buffer is attached: a message of %zu bytes needs one of %zu, which "
                          "MPI_Buffer_attach takes",
                          len, size_for(len));
    for (struct block *s = buffer.ring.next; s != &buffer.ring; s = s->next)
        used += (size_t) (s->end - s->begin);
    return adi3_error(MPI_ERR_BUFFER,
                      "a message of %zu bytes needs %zu of the attached buffer: it has %zu, of "
                      "which messages under way have %zu",
                      len, size_for(len), buffer.len, used);
}

/* MPI_SUCCESS when there is room for a message of len bytes. Polls as long as messages move, since
 * those that are delivered free their blocks. */
static int check_room(size_t len)
{
    char *at;

    if (buffer.detaching)
        return adi3_error(MPI_ERR_BUFFER, "MPI_Buffer_detach of another thread is waiting for the "
                                          "attached buffer to be empty");
    if (len > PTRDIFF_MAX)
        return no_room(len);
    for (int i = 0; buffer.attached && i < MOST_POLLS; i++) {
        if (find_room(size_for(len), &at))
            return MPI_SUCCESS;
        if (!progress_poll() && i)
            break;
    }
    return no_room(len);
}

/* ---- messages -------------------------------------------------------------------------------- */

void bsend_left(struct adi3_request *r) { free_block((struct block *) (void *) r->bytes - 1); }

static int bsend_start(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c)
{
    size_t len = d->count * d->type->size;
    struct adi3_request *r = request_new(ADI3_SEND, c, dest, tag);
    char *at;

    if (!r)
        return adi3_no_memory("for a request");
    struct block *after = find_room(size_for(len), &at),
                 *s = block_insert(after, at, size_for(len));
    r->flags = REQUEST_BUFFERED;
    r->bytes = (char *) (s + 1);
    r->len = len;
    bool unlocked = adi3_unlock_for(len);
    adi3_pack(d, 0, r->bytes, len);
    if (unlocked)
        adi3_lock();
    int err = proto_send(r, ADI3_STANDARD);
    if (err) {
        free_block(s);
        request_free(r);
        return err;
    }
    return adi3_request_release(r);
}

int adi3_bsend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int rc = check_room(d->count * d->type->size);
    if (rc)
        return rc;
    rc = pt2pt_inject(d, dest, tag, c, ADI3_STANDARD);
    return rc == DEV_AGAIN ? bsend_start(d, dest, tag, c) : rc;
}

/* ---- the buffer ------------------------------------------------------------------------------ */

int adi3_buffer_attach(void *buf, size_t len)
{
    assert(adi3_lock_held());
    if (buffer.attached)
        return adi3_error(MPI_ERR_BUFFER, "a buffer of %zu bytes at %p is attached already",
                          buffer.len, buffer.user);
    buffer.user = buf;
    buffer.len = len;
    buffer.attached = true;
    buffer.call = adi3_current.call;
    buffer.tail = buffer.ring.end = buf;
    buffer.ring.begin = (char *) buf + len;
    buffer.newest = buffer.ring.next = buffer.ring.prev = &buffer.ring;
    return MPI_SUCCESS;
}

int adi3_buffer_detach(void **buf, size_t *len)
{
    struct adi3_wait w = { .on = NULL };

    assert(adi3_lock_held());
    if (!buffer.attached)
        return adi3_error(MPI_ERR_BUFFER, "no buffer is attached");
    if (buffer.detaching)
        return adi3_error(MPI_ERR_BUFFER, "another thread is detaching the buffer");
    buffer.detaching = true;
    while (buffer.ring.next != &buffer.ring)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    *buf = buffer.user;
    *len = buffer.len;
    bsend_finalize();
    return MPI_SUCCESS;
}

const char *adi3_buffer_attached(void) { return buffer.call; }

void bsend_finalize(void) { memset(&buffer, 0, sizeof buffer); }
