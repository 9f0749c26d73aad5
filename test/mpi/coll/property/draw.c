/* draw.c — draws a case at random, and describes it. */
#include "property.h"

const char *const operation_names[OPERATIONS] = {
    [BARRIER] = "barrier",
    [BCAST] = "bcast",
    [GATHER] = "gather",
    [GATHERV] = "gatherv",
    [SCATTER] = "scatter",
    [SCATTERV] = "scatterv",
    [ALLGATHER] = "allgather",
    [ALLGATHERV] = "allgatherv",
    [ALLTOALL] = "alltoall",
    [ALLTOALLV] = "alltoallv",
    [ALLTOALLW] = "alltoallw",
    [REDUCE] = "reduce",
    [ALLREDUCE] = "allreduce",
    [REDUCE_SCATTER] = "reduce_scatter",
    [REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
    [SCAN] = "scan",
    [EXSCAN] = "exscan",
    [NEIGHBOR_ALLGATHER] = "neighbor_allgather",
    [NEIGHBOR_ALLGATHERV] = "neighbor_allgatherv",
    [NEIGHBOR_ALLTOALL] = "neighbor_alltoall",
    [NEIGHBOR_ALLTOALLV] = "neighbor_alltoallv",
    [NEIGHBOR_ALLTOALLW] = "neighbor_alltoallw",
};

bool is_reduction(enum operation o) { return o >= REDUCE && o <= EXSCAN; }
bool is_neighborhood(enum operation o) { return o >= NEIGHBOR_ALLGATHER; }
bool is_rooted(enum operation o) { return (o >= BCAST && o <= SCATTERV) || o == REDUCE; }

bool is_root(const struct instance *c)
{
    return is_rooted(c->operation) && c->place->rank == c->root && c->place->group == c->root_group;
}

/* No elements, one, few, hundreds, thousands, sometimes very many; blocks for each process are
 * smaller. */
static int draw_count(struct dice *d, enum operation o)
{
    static const struct {
        int chance, most;
    } kinds[] = { { 10, 0 }, { 15, 1 }, { 35, 20 }, { 22, 400 }, { 16, 6000 }, { 2, 100000 } };
    bool one = o == BCAST || o == REDUCE || o == ALLREDUCE || o == SCAN || o == EXSCAN;
    int chance = roll(d, 100), k = 0;

    while (chance >= kinds[k].chance)
        chance -= kinds[k++].chance;
    int most = kinds[k].most;
    if (k == 5) /* a quarter of these are of that size */
        most /= roll(d, 4) ? 10 : 1;
    if (!one && most > 1000)
        most /= 10;
    return most <= 1 ? most : 1 + roll(d, most);
}

static bool fits(const struct place *p, enum operation o)
{
    if (is_neighborhood(o))
        return p->nodes != NULL;
    return !p->inter || (o != SCAN && o != EXSCAN);
}

static bool may_be_in_place(const struct instance *c)
{
    return !c->place->inter && !is_neighborhood(c->operation) && c->operation != BARRIER
           && c->operation != BCAST;
}

static void draw_root(struct instance *c, struct dice *d)
{
    const struct place *p = c->place;
    int root = roll(d, 1 << 20);

    c->root_group = p->inter ? roll(d, 2) : 0;
    if (p->comm != MPI_COMM_NULL)
        c->root = root % p->size[c->root_group];
}

/* operation: -1 for any. */
struct instance draw(u64 seed, int number, int operation)
{
    struct dice d = { hash(seed, (u64) number) };
    struct instance c = { .seed = hash(d.state, 5), .number = number };

    c.operation = (enum operation)(operation >= 0 ? operation : roll(&d, OPERATIONS));
    do
        c.place = place_number(roll(&d, 3) ? roll(&d, places_count()) : 0);
    while (!fits(c.place, c.operation));
    c.form = (enum form) roll(&d, 3);
    c.rounds = c.form == PERSISTENT ? 1 + roll(&d, 3) : 1;
    c.reduction = (enum reduction) roll(&d, REDUCTIONS);
    do
        c.item = roll(&d, ITEMS);
    while (is_reduction(c.operation) && !reduction_takes(c.reduction, c.item));
    c.layout = roll(&d, LAYOUTS);
    if (c.reduction < USER_SUM || c.item == ITEM_PAIR)
        c.layout = 0;
    c.in_place = roll(&d, 4) == 0 && may_be_in_place(&c);
    c.count[0] = c.count[1] = draw_count(&d, c.operation);
    if (c.place->inter && (c.operation == ALLGATHER || c.operation == ALLTOALL))
        c.count[1] = draw_count(&d, c.operation);
    draw_root(&c, &d);
    return c;
}

void describe(const struct instance *c, char *text, size_t len)
{
    static const char *const forms[] = { "blocking", "nonblocking", "persistent" };
    const struct place *p = c->place;
    int n = snprintf(text, len, "case %d: %s %s on %s (%d and %d processes), %s, count %d",
                     c->number, forms[c->form], operation_names[c->operation], p->name, p->size[0],
                     p->size[1], item_number(c->item)->name, c->count[0]);
    size_t at = (size_t) n;

    if (c->count[1] != c->count[0])
        at += (size_t) snprintf(text + at, len - at, " and %d", c->count[1]);
    if (is_reduction(c->operation))
        at += (size_t) snprintf(text + at, len - at, ", layout %d, %s", c->layout,
                                reduction_operator(c->reduction)->name);
    if (is_rooted(c->operation))
        at +=
            (size_t) snprintf(text + at, len - at, ", root %d of group %d", c->root, c->root_group);
    snprintf(text + at, len - at, "%s", c->in_place ? ", in place" : "");
}
