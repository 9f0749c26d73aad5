/* call.c — makes the call of a case in one of its three forms.
 *
 * Arguments that are not significant are garbage: the send arguments with MPI_IN_PLACE, those of
 * the root in other processes. */
#include "property.h"

/* MPI_Bcast, MPI_Ibcast or MPI_Bcast_init with arguments in parentheses. */
#define CALL(t, Name, name, ...)                                                                   \
    do {                                                                                           \
        MPI_Comm comm = (t)->c.place->comm;                                                        \
        int code = MPI_SUCCESS;                                                                    \
        switch ((t)->c.form) {                                                                     \
        case BLOCKING:                                                                             \
            code = MPI_##Name(__VA_ARGS__ comm);                                                   \
            break;                                                                                 \
        case NONBLOCKING:                                                                          \
            code = MPI_I##name(__VA_ARGS__ comm, &(t)->request);                                   \
            break;                                                                                 \
        case PERSISTENT:                                                                           \
            code = MPI_##Name##_init(__VA_ARGS__ comm, MPI_INFO_NULL, &(t)->request);              \
            break;                                                                                 \
        }                                                                                          \
        if (code != MPI_SUCCESS)                                                                   \
            fail(&(t)->c, "the call returns an error");                                            \
    } while (0)

struct side { /* the arguments of one side */
    void *buf;
    int count;
    MPI_Datatype type;
    const int *counts, *displs;
    const MPI_Aint *bytes;
    const MPI_Datatype *types;
};

static struct side side(const struct part *p)
{
    if (p->n == 0)
        return (struct side) { .buf = p->base,
                               .type = MPI_BYTE,
                               .counts = p->counts,
                               .displs = p->displs,
                               .bytes = p->bytes,
                               .types = p->types };
    return (struct side) { p->base,   p->counts[0], p->types[0], p->counts,
                           p->displs, p->bytes,     p->types };
}

static struct side in_place(void)
{
    return (struct side) { .buf = MPI_IN_PLACE, .count = -7, .type = MPI_DATATYPE_NULL };
}

static int root(const struct instance *c)
{
    if (!c->place->inter || c->place->group != c->root_group)
        return c->root;
    return is_root(c) ? MPI_ROOT : MPI_PROC_NULL;
}

static bool call_rooted(struct task *t, struct side s, struct side r)
{
    int to = root(&t->c);

    switch ((int) t->c.operation) {
    case BCAST:
        if (!is_root(&t->c))
            s = r;
        CALL(t, Bcast, bcast, s.buf, s.count, s.type, to, );
        return true;
    case GATHER:
        CALL(t, Gather, gather, s.buf, s.count, s.type, r.buf, r.count, r.type, to, );
        return true;
    case GATHERV:
        CALL(t, Gatherv, gatherv, s.buf, s.count, s.type, r.buf, r.counts, r.displs, r.type, to, );
        return true;
    case SCATTER:
        CALL(t, Scatter, scatter, s.buf, s.count, s.type, r.buf, r.count, r.type, to, );
        return true;
    case SCATTERV:
        CALL(t, Scatterv, scatterv, s.buf, s.counts, s.displs, s.type, r.buf, r.count, r.type,
             to, );
        return true;
    }
    return false;
}

static bool call_all(struct task *t, struct side s, struct side r)
{
    switch ((int) t->c.operation) {
    case ALLGATHER:
        CALL(t, Allgather, allgather, s.buf, s.count, s.type, r.buf, r.count, r.type, );
        return true;
    case ALLGATHERV:
        CALL(t, Allgatherv, allgatherv, s.buf, s.count, s.type, r.buf, r.counts, r.displs,
             r.type, );
        return true;
    case ALLTOALL:
        CALL(t, Alltoall, alltoall, s.buf, s.count, s.type, r.buf, r.count, r.type, );
        return true;
    case ALLTOALLV:
        CALL(t, Alltoallv, alltoallv, s.buf, s.counts, s.displs, s.type, r.buf, r.counts, r.displs,
             r.type, );
        return true;
    case ALLTOALLW:
        CALL(t, Alltoallw, alltoallw, s.buf, s.counts, s.displs, s.types, r.buf, r.counts, r.displs,
             r.types, );
        return true;
    }
    return false;
}

static bool call_neighbors(struct task *t, struct side s, struct side r)
{
    switch ((int) t->c.operation) {
    case NEIGHBOR_ALLGATHER:
        CALL(t, Neighbor_allgather, neighbor_allgather, s.buf, s.count, s.type, r.buf, r.count,
             r.type, );
        return true;
    case NEIGHBOR_ALLGATHERV:
        CALL(t, Neighbor_allgatherv, neighbor_allgatherv, s.buf, s.count, s.type, r.buf, r.counts,
             r.displs, r.type, );
        return true;
    case NEIGHBOR_ALLTOALL:
        CALL(t, Neighbor_alltoall, neighbor_alltoall, s.buf, s.count, s.type, r.buf, r.count,
             r.type, );
        return true;
    case NEIGHBOR_ALLTOALLV:
        CALL(t, Neighbor_alltoallv, neighbor_alltoallv, s.buf, s.counts, s.displs, s.type, r.buf,
             r.counts, r.displs, r.type, );
        return true;
    case NEIGHBOR_ALLTOALLW:
        CALL(t, Neighbor_alltoallw, neighbor_alltoallw, s.buf, s.counts, s.bytes, s.types, r.buf,
             r.counts, r.bytes, r.types, );
        return true;
    }
    return false;
}

/* The counts of MPI_Reduce_scatter, which are kept with the buffer as long as that is used. */
static int *shares(struct task *t)
{
    const struct place *p = t->c.place;
    int size = p->size[p->group];

    free(t->recv.counts);
    t->recv.counts = mpitest_memory((size_t) size * sizeof(int));
    for (int r = 0; r < size; r++)
        t->recv.counts[r] = flow_part(&t->c, p->group, r);
    return t->recv.counts;
}

static void call_reduction(struct task *t, struct side s, struct side r)
{
    MPI_Datatype type = item_layout(t->c.item, t->c.layout)->type;
    MPI_Op op = reduction_operator(t->c.reduction)->op;
    int n = t->c.count[0];

    switch ((int) t->c.operation) {
    case REDUCE:
        CALL(t, Reduce, reduce, s.buf, r.buf, n, type, op, root(&t->c), );
        break;
    case ALLREDUCE:
        CALL(t, Allreduce, allreduce, s.buf, r.buf, n, type, op, );
        break;
    case REDUCE_SCATTER:
        CALL(t, Reduce_scatter, reduce_scatter, s.buf, r.buf, shares(t), type, op, );
        break;
    case REDUCE_SCATTER_BLOCK:
        CALL(t, Reduce_scatter_block, reduce_scatter_block, s.buf, r.buf,
             flow_part(&t->c, t->c.place->group, 0), type, op, );
        break;
    case SCAN:
        CALL(t, Scan, scan, s.buf, r.buf, n, type, op, );
        break;
    case EXSCAN:
        CALL(t, Exscan, exscan, s.buf, r.buf, n, type, op, );
        break;
    }
}

void call(struct task *t)
{
    const struct instance *c = &t->c;
    struct side s = side(&t->send), r = side(&t->recv);
    bool scatters = c->operation == SCATTER || c->operation == SCATTERV;

    if (c->in_place && (!is_rooted(c->operation) || is_root(c))) {
        if (scatters)
            r = in_place();
        else
            s = in_place();
    }
    if (c->operation == BARRIER)
        CALL(t, Barrier, barrier, );
    else if (!call_rooted(t, s, r) && !call_all(t, s, r) && !call_neighbors(t, s, r))
        call_reduction(t, s, r);
}
