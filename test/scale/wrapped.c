/* wrapped.c — what the library calls to send, to receive and to work, and here only writes down.
 * The link says --wrap for each of these functions. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "made_job.h"

/* Memory of schedules, the same for each rank: pages that nothing is written to take no memory. */
enum { RESERVED_BITS = 42 };
static char *reserved;
static size_t taken, taken_last;

static struct recording *to;

void wrapped_record(struct recording *r)
{
    to = r;
    taken = 0;
}

void wrapped_step(struct step step) { recording_add(to, step); }
size_t wrapped_memory(void) { return taken; }

void *wrapped_reserve(void)
{
    void *at = mmap(NULL, (size_t) 1 << RESERVED_BITS, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        abort();
    return at;
}

static uint64_t data_len(const struct adi3_data *d)
{
    return d->type ? (uint64_t) d->count * d->type->size : 0;
}

static void record_message(enum step_kind kind, const struct adi3_data *d, int peer)
{
    recording_add(to, (struct step) { .kind = kind, .peer = peer, .len = data_len(d) });
}

/* ---- schedules ------------------------------------------------------------------------------- */

struct adi3_sched *__wrap_adi3_sched_new(int tag);
void __wrap_adi3_sched_free(struct adi3_sched *s);
void __wrap_adi3_sched_tag(struct adi3_sched *s, int tag);
void __wrap_adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int dest);
void __wrap_adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int source);
void __wrap_adi3_sched_fence(struct adi3_sched *s);
void __wrap_adi3_sched_await(struct adi3_sched *s, unsigned n);
void __wrap_adi3_sched_work(struct adi3_sched *s, const struct adi3_work *w);
void __wrap_adi3_sched_widen(struct adi3_sched *s, unsigned n);
void __wrap_adi3_sched_call(struct adi3_sched *s, int (*work)(void *arg, int err), void *arg);
void *__wrap_adi3_sched_bytes(struct adi3_sched *s, size_t len);

/* No one looks into it. */
struct adi3_sched *__wrap_adi3_sched_new(int tag)
{
    (void) tag;
    return (struct adi3_sched *) &reserved;
}

void __wrap_adi3_sched_free(struct adi3_sched *s) { (void) s; }

void __wrap_adi3_sched_widen(struct adi3_sched *s, unsigned n)
{
    (void) s;
    (void) n;
}

void __wrap_adi3_sched_tag(struct adi3_sched *s, int tag)
{
    (void) s;
    (void) tag;
}

void __wrap_adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int dest)
{
    (void) s;
    (void) c;
    record_message(STEP_SEND, &d, dest);
}

void __wrap_adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int source)
{
    (void) s;
    (void) c;
    record_message(STEP_RECV, &d, source);
}

void __wrap_adi3_sched_fence(struct adi3_sched *s)
{
    (void) s;
    recording_add(to, (struct step) { .kind = STEP_FENCE });
}

void __wrap_adi3_sched_await(struct adi3_sched *s, unsigned n)
{
    (void) s;
    recording_await(to, n);
}

void __wrap_adi3_sched_work(struct adi3_sched *s, const struct adi3_work *w)
{
    (void) s;
    uint64_t len = data_len(w->from.type ? &w->from : &w->to);

    recording_add(to, (struct step) { .kind = STEP_WORK, .len = len });
}

/* Such work sorts as many bytes as have been reserved last. */
void __wrap_adi3_sched_call(struct adi3_sched *s, int (*work)(void *arg, int err), void *arg)
{
    (void) s;
    (void) work;
    (void) arg;
    recording_add(to, (struct step) { .kind = STEP_WORK, .len = taken_last });
}

void *__wrap_adi3_sched_bytes(struct adi3_sched *s, size_t len)
{
    (void) s;
    if (!reserved)
        reserved = wrapped_reserve();
    void *at = reserved + taken;

    taken_last = len;
    taken += (len + 63) / 64 * 64;
    return taken <= (size_t) 1 << RESERVED_BITS ? at : NULL;
}

/* ---- messages that are sent at once ---------------------------------------------------------- */

int __wrap_adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);
int __wrap_adi3_recv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
                     MPI_Status *status);
int __wrap_adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode,
                         MPI_Status *status);

int __wrap_adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode)
{
    (void) tag;
    (void) c;
    (void) mode;
    record_message(STEP_SEND, d, dest);
    recording_await(to, 1);
    return MPI_SUCCESS;
}

/* All bytes that are received at once are RECEIVED_BYTE. */
int __wrap_adi3_recv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
                     MPI_Status *status)
{
    (void) tag;
    (void) c;
    (void) mode;
    (void) status;
    record_message(STEP_RECV, d, source);
    recording_await(to, 1);
    memset(d->buf, RECEIVED_BYTE, data_len(d));
    return MPI_SUCCESS;
}

int __wrap_adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode,
                         MPI_Status *status)
{
    (void) c;
    (void) mode;
    (void) status;
    record_message(STEP_RECV, &x->in, x->source);
    record_message(STEP_SEND, &x->out, x->dest);
    recording_await(to, 2);
    memset(x->in.buf, RECEIVED_BYTE, data_len(&x->in));
    return MPI_SUCCESS;
}
