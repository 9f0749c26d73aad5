/* phases.c — phases of blocking calls within a node, where these go through its memory.
 *
 * The library has no schedule for them: processes copy, and wait for each other's flags. So what
 * they do is said here, for the algorithm that the library chooses; a flag that another process
 * waits for is a message without data. */
#include <string.h>
#include "made_job.h"

void __real_coll_phase(struct coll *x, const struct coll_subgroup *t, int root,
                       const struct coll_operation *o);
void __wrap_coll_phase(struct coll *x, const struct coll_subgroup *t, int root,
                       const struct coll_operation *o);
size_t __wrap_adi3_shmcoll_room(const struct adi3_shmcoll *s);

/* As a segment of 1 MiB has it. */
size_t __wrap_adi3_shmcoll_room(const struct adi3_shmcoll *s)
{
    (void) s;
    return ((size_t) 1 << 20) / (size_t) (made_job_per_node() + 1) - 1024;
}

static void work(size_t len)
{
    if (len > 0)
        wrapped_step((struct step) { .kind = STEP_WORK, .len = len });
}

/* All others see that the root has come, ... */
static void root_shows(const struct coll_subgroup *t, int root)
{
    for (int i = 0; i < t->size && t->me == root; i++)
        if (i != root)
            wrapped_step((struct step) { .kind = STEP_SEND, .peer = t->ranks[i] });
    if (t->me != root)
        wrapped_step((struct step) { .kind = STEP_RECV, .peer = t->ranks[root] });
    wrapped_step((struct step) { .kind = STEP_FENCE });
}

/* ... or the root sees that all others have. */
static void root_collects(const struct coll_subgroup *t, int root)
{
    for (int i = 0; i < t->size && t->me == root; i++)
        if (i != root)
            wrapped_step((struct step) { .kind = STEP_RECV, .peer = t->ranks[i] });
    if (t->me != root)
        wrapped_step((struct step) { .kind = STEP_SEND, .peer = t->ranks[root] });
    wrapped_step((struct step) { .kind = STEP_FENCE });
}

static void all_meet(const struct coll_subgroup *t)
{
    root_collects(t, 0);
    root_shows(t, 0);
}

static void copy_from_root(const struct coll_subgroup *t, int root, size_t len, bool direct)
{
    const bool is_root = t->me == root;

    if (is_root && !direct)
        work(len);
    root_shows(t, root);
    if (!is_root)
        work(len);
    if (direct)
        root_collects(t, root);
}

static void scatter_blocks(const struct coll_subgroup *t, int root, size_t len, bool direct)
{
    const bool is_root = t->me == root;

    if (is_root)
        work(direct ? len : (size_t) t->size * len);
    root_shows(t, root);
    if (!is_root)
        work(len);
    if (direct)
        root_collects(t, root);
}

static void gather_blocks(const struct coll_subgroup *t, int root, size_t len)
{
    if (t->me != root)
        work(len);
    root_collects(t, root);
    if (t->me == root)
        work((size_t) t->size * len);
}

/* direct: all combine a block of all operands, and the root takes these. */
static void combine_blocks(const struct coll_subgroup *t, int root, size_t len, bool direct)
{
    if (!direct) {
        gather_blocks(t, root, len);
        return;
    }
    all_meet(t);
    work(2 * len);
    all_meet(t);
    if (t->me == root)
        work(len);
    all_meet(t);
}

/* The library's choice, as there is a segment; NULL: messages. */
static const char *phase_choice(const struct coll *x, const struct coll_subgroup *t, int root,
                                const struct coll_operation *o)
{
    static char segment;
    struct coll call = *x;

    if (!made_job_blocking() || !t->on_node || t->size < 2)
        return NULL;
    call.subgroup = t;
    call.rank = t->me;
    call.size = t->size;
    call.root = root;
    call.sched = NULL;
    x->comm->shmcoll = (struct adi3_shmcoll *) &segment;
    const char *name = o->choose(&call)->name;
    x->comm->shmcoll = NULL;
    return strcmp(name, "shared") == 0 || strcmp(name, "direct") == 0 ? name : NULL;
}

void __wrap_coll_phase(struct coll *x, const struct coll_subgroup *t, int root,
                       const struct coll_operation *o)
{
    const char *name = phase_choice(x, t, root, o);
    const bool direct = name && strcmp(name, "direct") == 0;
    const bool is_root = t->me == root;

    if (!name)
        __real_coll_phase(x, t, root, o);
    else if (o == &coll_bcast)
        copy_from_root(t, root, coll_size(x->recv), direct);
    else if (o == &coll_gather)
        gather_blocks(t, root, coll_size(is_root ? x->recv : x->send));
    else if (o == &coll_scatter)
        scatter_blocks(t, root, coll_size(is_root ? x->send : x->recv), direct);
    else
        combine_blocks(t, root, coll_size(x->recv), direct);
}
