/* memory.c — the memory of segments and flag blocks of processes of several jobs.
 *
 * It is no block of a node's memory, as each job leaves the others' when they disconnect, but has a
 * descriptor of its own. Member 0 makes it, and the others get the descriptor at its share socket.
 * All close it once it is mapped, so the memory is freed with the last process that has it, however
 * that ends. */
#include "adi3/shmcoll/shmcoll_impl.h"

enum { SHARES_MOST = 16 << 20 }; /* bytes in use that a process has made */

static size_t made_len; /* bytes in use that this process has made */

struct exposure { /* what member 0 broadcasts */
    uint64_t len, share_socket;
    uint64_t number; /* 0: there is no memory */
};

size_t shmcoll_share_room(void) { return SHARES_MOST - made_len; }

bool shmcoll_spans(const struct shmcoll_members *m)
{
    int i = 0;

    if (!m->comm->group->others)
        return false;
    while (i < m->size && proc_job_of(shmcoll_member(m, i)) == &proc_own_job)
        i++;
    return i < m->size;
}

static bool all_through_memory(const struct shmcoll_members *m)
{
    int i = 0;

    while (i < m->size && (i == m->me || proc_through_memory(shmcoll_member(m, i))))
        i++;
    return i == m->size;
}

static struct exposure share_make(const struct shmcoll_members *m, size_t len, struct node_share *s)
{
    struct exposure none = { .number = 0 };

    if (!shmcoll_wanted || len > shmcoll_share_room() || !all_through_memory(m)
        || node_share_create(len, len, len, s))
        return none;
    made_len += len;
    progress_want(&progress_share_socket);
    if (!node_share_expose(s))
        return (struct exposure) { len, share_socket_name(), s->number };
    shmcoll_share_drop(s, true);
    return none;
}

/* Whether this process has mapped the memory. */
static bool share_map(const struct exposure *x, struct node_share *s)
{
    int fd = progress_fetch_shared(x->share_socket, x->number);

    return fd >= 0 && !node_share_map(fd, x->len, s);
}

/* Whether all members say yes. Member 0 hears the others, and tells them. */
static bool share_consensus(const struct shmcoll_members *m, int tag, bool mine)
{
    unsigned char all = mine, one = mine;
    const struct adi3_data d = { &one, 1, adi3_type_builtin(MPI_BYTE) };

    if (m->me && adi3_send(&d, shmcoll_rank_of(m, 0), tag, m->comm, ADI3_COLL))
        return false;
    for (int i = 1; m->me == 0 && i < m->size; i++) {
        int err = adi3_recv(&d, shmcoll_rank_of(m, i), tag, m->comm, ADI3_COLL, MPI_STATUS_IGNORE);
        all = all && !err && one;
    }
    int err = shmcoll_broadcast(m, tag, &all, 1);
    return all && (!err || m->me == 0);
}

bool shmcoll_share(const struct shmcoll_members *m, int tag, size_t len, bool ready,
                   struct node_share *s)
{
    struct exposure x = { .number = 0 };

    assert(adi3_lock_held());
    *s = (struct node_share) { .fd = -1 };
    if (m->me == 0 && ready)
        x = share_make(m, len, s);
    int err = shmcoll_broadcast(m, tag, &x, sizeof x);
    if (!x.number)
        return false;
    if (m->me)
        ready = ready && !err && share_map(&x, s);
    bool all = share_consensus(m, tag, ready && !err);
    node_share_close(s);
    progress_share_socket_closed();
    if (!all)
        shmcoll_share_drop(s, m->me == 0);
    return all;
}

void shmcoll_share_drop(struct node_share *s, bool made)
{
    if (made)
        made_len -= s->len;
    node_share_drop(s);
    progress_share_socket_closed();
}
