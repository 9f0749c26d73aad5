/* life.c — areas are made by the first process of a communicator, which tells the others;
 * the last one to end the communicator gives the memory back. */
#include <stdlib.h>
#include <string.h>
#include "collchk_impl.h"
#include "shmcoll_impl.h"

bool area_wanted;

struct offer {        /* to the others, by the first process */
    uint64_t at, len; /* 0: there is no area */
};

/* A power of two, so that memory given back is of use to others. */
static size_t length_for(int size)
{
    size_t len = AREA_LEAST;

    while (len < AREA_ALL && len < (size_t) size * AREA_EACH)
        len *= 2;
    return len;
}

static size_t desk_length(size_t len, int size)
{
    size_t desks = len - sizeof(struct area_head);

    return desks / (size_t) (size + 1) & ~(size_t) (OS_LINE - 1);
}

bool area_shared(struct adi3_proc *p)
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

    if (area_wanted && desk_length(o.len, c->size) >= AREA_LEAST && area_shared(c->proc[1]))
        o.at = node_area(o.len);
    if (!o.at)
        return o;
    struct area_head *head = (struct area_head *) (void *) (adi3_node.base + o.at);
    memset(head, 0, sizeof *head);
    for (int i = 0; i < c->size; i++)
        memset((char *) (head + 1) + (size_t) i * desk_length(o.len, c->size), 0,
               AREA_LINES * sizeof(struct area_line));
    atomic_store(&head->users, (uint32_t) c->size);
    return o;
}

int area_tell(struct adi3_comm *c, int tag, void *what, size_t len)
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

static void set_up(struct adi3_area *a, struct adi3_comm *c, const struct offer *o)
{
    size_t desk = desk_length(o->len, c->size);

    *a = (struct adi3_area) { .head = (struct area_head *) (void *) (adi3_node.base + o->at),
                              .comm = c,
                              .offset = o->at,
                              .len = o->len,
                              .rank = c->rank,
                              .size = c->size,
                              .last_works = adi3_node.crowded || c->size > AREA_FEW,
                              .ring = desk - AREA_LINES * sizeof(struct area_line) };
    for (int i = 0; i <= c->size; i++)
        a->peer[i].line =
            (struct area_line *) (void *) ((char *) (a->head + 1) + (size_t) i * desk);
    for (int i = 0; i < c->size; i++) {
        a->peer[i].index = c->proc[i]->peer.local;
        a->peer[i].asleep = adi3_node.asleep(a->peer[i].index);
    }
}

static void leave(struct area_head *head, size_t offset, size_t len)
{
    if (atomic_fetch_sub(&head->users, 1) == 1)
        node_area_back(offset, len);
}

/* There is one, and we have no memory for our part in it: the others count on us, so that the call
 * fails in all. */
static void give_up(struct adi3_comm *c, int tag, const struct offer *o)
{
    struct area_head *head = (struct area_head *) (void *) (adi3_node.base + o->at);
    struct adi3_called *call = agree_tagged(c, tag);

    atomic_store(&head->broken, 1);
    leave(head, o->at, o->len);
    if (call)
        agree_break(
            c, call,
            adi3_error(MPI_ERR_NO_MEM, "rank %d has no memory for this operation", c->rank));
}

static struct adi3_area *make(struct adi3_comm *c, int tag)
{
    struct offer o = { 0, 0 };
    struct adi3_area *a = malloc(sizeof *a + (size_t) (c->size + 1) * sizeof *a->peer);

    if (c->rank == 0 && a)
        o = make_offer(c);
    int err = area_tell(c, tag, &o, sizeof o);
    if (o.at && a) {
        set_up(a, c, &o);
        if (err)
            (void) adi3_area_fails(a, err);
        return a;
    }
    if (o.at)
        give_up(c, tag, &o);
    free(a);
    return NULL;
}

struct adi3_area *adi3_area(struct adi3_comm *c, int tag)
{
    if (!c->area_asked) {
        c->area_asked = true;
        c->area = c->together && c->size > 1 ? make(c, tag) : NULL;
    }
    return c->area;
}

void area_end(struct adi3_comm *c)
{
    struct adi3_area *a = c->area;

    if (a)
        leave(a->head, a->offset, a->len);
    area_forget(c);
}

void area_forget(struct adi3_comm *c)
{
    free(c->area);
    c->area = NULL;
    c->area_asked = false;
}

void area_forget_all(void)
{
    area_forget(&adi3_world);
    area_forget(&adi3_self);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        area_forget(c);
}
