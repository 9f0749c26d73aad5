/* life.c — areas are made by the first process of a communicator, which tells the others;
 * the last one to end the communicator gives the memory back. */
#include <stdlib.h>
#include <string.h>
#include "shmcoll_impl.h"

bool shmcoll_wanted;

const struct setting shmcoll_settings[] = {
    { "SHARED_COLLECTIVES", SETTING_BOOL, &shmcoll_wanted, "yes",
      "Whether blocking collective operations of processes of one node go through memory that "
      "these share, where that is faster; no: through messages. What the first process of a "
      "communicator says counts." },
    { 0 }
};

struct offer {        /* to the others, by the first process */
    uint64_t at, len; /* 0: there is no area */
};

/* A power of two, so that memory given back is of use to others. */
static size_t length_for(int size)
{
    size_t len = SHMCOLL_LEAST;

    while (len < SHMCOLL_ALL && len < (size_t) size * SHMCOLL_EACH)
        len *= 2;
    return len;
}

static size_t control_length(size_t len, int size)
{
    size_t desks = len - sizeof(struct shmcoll_head);

    return desks / (size_t) (size + 1) & ~(size_t) (OS_LINE - 1);
}

bool shmcoll_reaches(struct adi3_proc *p)
{
    const struct dev_ops *const *known = dev_table;

    if ((!p->dev && proc_add(p)) || !p->dev->limits.node_only)
        return false;
    while (*known && *known != p->dev->ops)
        known++;
    return *known != NULL;
}

static struct offer make_offer(const struct adi3_comm *c)
{
    struct offer o = { 0, length_for(c->size) };

    if (shmcoll_wanted && control_length(o.len, c->size) >= SHMCOLL_LEAST
        && shmcoll_reaches(c->proc[1]))
        o.at = node_block_take(o.len);
    if (!o.at)
        return o;
    struct shmcoll_head *head = (struct shmcoll_head *) (void *) (adi3_node.base + o.at);
    memset(head, 0, sizeof *head);
    for (int i = 0; i < c->size; i++)
        memset((char *) (head + 1) + (size_t) i * control_length(o.len, c->size), 0,
               SHMCOLL_LINES * sizeof(struct shmcoll_line));
    atomic_store(&head->users, (uint32_t) c->size);
    return o;
}

int shmcoll_broadcast(struct adi3_comm *c, int tag, void *what, size_t len)
{
    struct adi3_data d = { what, len, adi3_type_builtin(MPI_BYTE) };

    if (c->rank)
        return adi3_recv(&d, 0, tag, c, ADI3_COLL, MPI_STATUS_IGNORE);
    int err = MPI_SUCCESS;
    for (int i = 1; i < c->size; i++) {
        int sent = adi3_send(&d, i, tag, c, ADI3_COLL);
        err = err ? err : sent;
    }
    return err;
}

static void set_up(struct adi3_shmcoll *a, struct adi3_comm *c, const struct offer *o)
{
    size_t desk = control_length(o->len, c->size);

    *a = (struct adi3_shmcoll) { .head = (struct shmcoll_head *) (void *) (adi3_node.base + o->at),
                                 .comm = c,
                                 .offset = o->at,
                                 .len = o->len,
                                 .rank = c->rank,
                                 .size = c->size,
                                 .last_works = adi3_node.oversubscribed || c->size > SHMCOLL_FEW,
                                 .ring = desk - SHMCOLL_LINES * sizeof(struct shmcoll_line) };
    for (int i = 0; i <= c->size; i++)
        a->peer[i].line =
            (struct shmcoll_line *) (void *) ((char *) (a->head + 1) + (size_t) i * desk);
    for (int i = 0; i < c->size; i++) {
        a->peer[i].index = c->proc[i]->peer.local;
        a->peer[i].asleep = adi3_node.asleep(a->peer[i].index);
    }
}

static void leave(struct shmcoll_head *head, size_t offset, size_t len)
{
    if (atomic_fetch_sub(&head->users, 1) == 1)
        node_block_release(offset, len);
}

/* There is one, and we have no memory for our part in it: the others count on us, so that the call
 * fails in all. */
static void give_up(struct adi3_comm *c, int tag, const struct offer *o)
{
    struct shmcoll_head *head = (struct shmcoll_head *) (void *) (adi3_node.base + o->at);
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    atomic_store(&head->broken, 1);
    leave(head, o->at, o->len);
    if (call)
        collchk_fail(
            c, call,
            adi3_error(MPI_ERR_NO_MEM, "rank %d has no memory for this operation", c->rank));
}

static struct adi3_shmcoll *make(struct adi3_comm *c, int tag)
{
    struct offer o = { 0, 0 };
    struct adi3_shmcoll *a = malloc(sizeof *a + (size_t) (c->size + 1) * sizeof *a->peer);

    if (c->rank == 0 && a)
        o = make_offer(c);
    int err = shmcoll_broadcast(c, tag, &o, sizeof o);
    if (o.at && a) {
        set_up(a, c, &o);
        if (err)
            (void) adi3_shmcoll_fail(a, err);
        return a;
    }
    if (o.at)
        give_up(c, tag, &o);
    free(a);
    return NULL;
}

struct adi3_shmcoll *adi3_shmcoll(struct adi3_comm *c, int tag)
{
    if (!c->shmcoll_asked) {
        c->shmcoll_asked = true;
        c->area = c->together && c->size > 1 ? make(c, tag) : NULL;
    }
    return c->area;
}

static void comm_ends(struct adi3_comm *c)
{
    struct adi3_shmcoll *a = c->area;

    if (a)
        leave(a->head, a->offset, a->len);
    shmcoll_forget(c);
}

void shmcoll_forget(struct adi3_comm *c)
{
    free(c->area);
    c->area = NULL;
    c->shmcoll_asked = false;
}

static void forget_all(void)
{
    shmcoll_forget(&adi3_world);
    shmcoll_forget(&adi3_self);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        shmcoll_forget(c);
}

static int segment_lost(void)
{
    forget_all();
    return flag_block_save_all();
}

int shmcoll_init(void)
{
    static const struct base_hooks hooks = { .name = "shmcoll",
                                             .comm_ends = comm_ends,
                                             .segment_lost = segment_lost };
    int err = progress_source_add(&shmcoll_source);

    return err ? err : base_hooks_add(&hooks);
}
