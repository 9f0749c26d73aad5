/* property.h — a random program, the same in all processes, makes communicators from live ones by
 * random calls and frees some. Each must match a naive model: its groups, its messages, and how it
 * compares with the others. */
#ifndef PROPERTY_H
#define PROPERTY_H

#include <limits.h>
#include "../env/starling.h"
#include "model.h"

enum { LIVING = 24, STEPS = 1000, FEW_STEPS = 200 }; /* few, for a library that is slow */

struct entry {
    int used;
    int n[2]; /* processes of both sides; n[1]: 0 for an intracommunicator */
    int members[2][MODEL_MOST];
    MPI_Comm comm;       /* MPI_COMM_NULL in other processes */
    MPI_Request request; /* of MPI_Comm_idup */
};

static struct entry living[LIVING];
static int size, me, idups;
static unsigned long long seed = 20;

static int below(int n)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (int) (seed >> 33) % n;
}

static void shuffle(int *a, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = below(i + 1), x = a[i];
        a[i] = a[k];
        a[k] = x;
    }
}

/* ---- the model ------------------------------------------------------------------------------- */

static int side_of(const struct entry *e, int process)
{
    for (int s = 0; s < 2; s++)
        if (model_place(e->n[s], e->members[s], process) >= 0)
            return s;
    return -1;
}

static int is_inter(const struct entry *e) { return e->n[1] > 0; }
static int member(const struct entry *e) { return side_of(e, me) >= 0; }

static struct model model_of(const struct entry *e)
{
    int s = side_of(e, me) == 1;
    struct model m = { .size = e->n[s], .peers = e->n[!s] };

    memcpy(m.local, e->members[s], sizeof m.local);
    memcpy(m.remote, e->members[!s], sizeof m.remote);
    return m;
}

static struct entry *fresh(void)
{
    for (int i = 0; i < LIVING; i++) {
        if (living[i].used)
            continue;
        living[i] = (struct entry) { .used = 1, .comm = MPI_COMM_NULL };
        living[i].request = MPI_REQUEST_NULL;
        return &living[i];
    }
    return NULL;
}

static void copy_members(struct entry *to, const struct entry *from)
{
    memcpy(to->n, from->n, sizeof to->n);
    memcpy(to->members, from->members, sizeof to->members);
}

static void check(struct entry *e)
{
    const struct model m = model_of(e);

    if (member(e))
        model_check(e->comm, &m);
    else
        CHECK(e->comm == MPI_COMM_NULL);
}

/* Completes a pending MPI_Comm_idup before its communicator is used. */
static void complete(struct entry *e)
{
    int done = 0;

    for (int tests = below(4); tests > 0 && !done; tests--)
        MPI_Test(&e->request, &done, MPI_STATUS_IGNORE);
    MPI_Wait(&e->request, MPI_STATUS_IGNORE);
}

static struct entry *any(void)
{
    struct entry *e;

    do
        e = &living[below(LIVING)];
    while (!e->used);
    return e;
}

/* Picks the larger of two, since small communicators are many. */
static struct entry *pick(void)
{
    struct entry *a = any(), *b = any();

    if (b->n[0] + b->n[1] > a->n[0] + a->n[1])
        a = b;
    complete(a);
    return a;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void dup(struct entry *e)
{
    struct entry *f = fresh();
    int later = below(2) && idups;

    copy_members(f, e);
    if (member(e) && later)
        MPI_Comm_idup(e->comm, &f->comm, &f->request);
    else if (member(e))
        MPI_Comm_dup(e->comm, &f->comm);
    if (!later)
        check(f);
}

struct choice {
    int color[2][MODEL_MOST], key[2][MODEL_MOST];
};

static struct choice choose(const struct entry *e)
{
    static const int keys[] = { 0, 0, 1, -1, INT_MAX, INT_MIN };
    struct choice c = { 0 };

    for (int s = 0; s < 2; s++)
        for (int i = 0; i < e->n[s]; i++) {
            int color = below(4);
            c.color[s][i] = color == 3 ? MPI_UNDEFINED : color;
            c.key[s][i] = keys[below(6)];
        }
    return c;
}

/* The processes of a color, in the order of their keys. */
static int of_color(const struct entry *e, const struct choice *c, int s, int color, int *members)
{
    int n = 0, key[MODEL_MOST];

    for (int i = 0; i < e->n[s]; i++) {
        int at = n;
        if (c->color[s][i] != color)
            continue;
        for (n++; at > 0 && key[at - 1] > c->key[s][i]; at--) {
            key[at] = key[at - 1];
            members[at] = members[at - 1];
        }
        key[at] = c->key[s][i];
        members[at] = e->members[s][i];
    }
    return n;
}

static void split(struct entry *e)
{
    const struct choice c = choose(e);
    int s = side_of(e, me), found = 0;
    MPI_Comm made = MPI_COMM_NULL;

    if (s >= 0) {
        int r = model_place(e->n[s], e->members[s], me);
        MPI_Comm_split(e->comm, c.color[s][r], c.key[s][r], &made);
    }
    for (int color = 0; color < 3; color++) {
        struct entry *f = fresh();
        for (int i = 0; i < 2; i++)
            f->n[i] = of_color(e, &c, i, color, f->members[i]);
        if (f->n[0] == 0 || (is_inter(e) && f->n[1] == 0)) {
            f->used = 0;
            continue;
        }
        f->comm = member(f) ? made : MPI_COMM_NULL;
        found |= member(f);
        check(f);
    }
    CHECK(found || made == MPI_COMM_NULL);
}

/* Some processes of one side, in any order. */
static int some(const struct entry *e, int s, int *members)
{
    memcpy(members, e->members[s], sizeof e->members[s]);
    shuffle(members, e->n[s]);
    return below(e->n[s] + 1);
}

static void make_of(struct entry *e, struct entry *f, MPI_Group group)
{
    if (member(e))
        MPI_Comm_create(e->comm, group, &f->comm);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    if (f->n[0] == 0 || (is_inter(e) && f->n[1] == 0)) {
        CHECK(f->comm == MPI_COMM_NULL);
        f->used = 0;
    } else {
        check(f);
    }
}

/* One group, and another group of the remaining processes. */
static void create_intra(struct entry *e)
{
    struct entry *f = fresh(), *g = fresh();

    f->n[0] = some(e, 0, f->members[0]);
    g->n[0] = e->n[0] - f->n[0];
    memcpy(g->members[0], f->members[0] + f->n[0], sizeof(int) * (size_t) g->n[0]);
    if (g->n[0] > 0)
        g->n[0] -= below(2);
    if (member(f)) {
        make_of(e, f, model_group(f->n[0], f->members[0]));
        g->used = g->n[0] > 0;
    } else {
        make_of(e, g, model_group(g->n[0], g->members[0]));
        f->used = f->n[0] > 0;
    }
}

static void create(struct entry *e)
{
    struct entry *f;
    int s = side_of(e, me) == 1;

    if (!is_inter(e)) {
        create_intra(e);
        return;
    }
    f = fresh();
    for (int i = 0; i < 2; i++)
        f->n[i] = some(e, i, f->members[i]);
    make_of(e, f, model_group(f->n[s], f->members[s]));
}

static void create_group(struct entry *e)
{
    struct entry *f;
    MPI_Group group;
    int tag = below(32768);

    if (is_inter(e))
        return;
    f = fresh();
    f->n[0] = 1 + some(e, 0, f->members[0]) % e->n[0];
    group = model_group(f->n[0], f->members[0]);
    if (member(f))
        MPI_Comm_create_group(e->comm, group, tag, &f->comm);
    MPI_Group_free(&group);
    check(f);
}

static int apart(const struct entry *a, const struct entry *b)
{
    for (int i = 0; i < b->n[0]; i++)
        if (side_of(a, b->members[0][i]) >= 0)
            return 0;
    return 1;
}

static void connect(struct entry *a)
{
    struct entry *b = pick(), *peer = pick(), *f;
    int la = below(a->n[0]), lb = below(b->n[0]), tag = below(32768);

    if (is_inter(a) || is_inter(b) || !apart(a, b))
        return;
    int pa = a->members[0][la], pb = b->members[0][lb];
    if (is_inter(peer) || side_of(peer, pa) < 0 || side_of(peer, pb) < 0)
        peer = &living[0];
    f = fresh();
    f->n[0] = a->n[0];
    f->n[1] = b->n[0];
    memcpy(f->members[0], a->members[0], sizeof f->members[0]);
    memcpy(f->members[1], b->members[0], sizeof f->members[1]);
    if (member(a))
        MPI_Intercomm_create(a->comm, la, peer->comm, model_place(peer->n[0], peer->members[0], pb),
                             tag, &f->comm);
    if (member(b))
        MPI_Intercomm_create(b->comm, lb, peer->comm, model_place(peer->n[0], peer->members[0], pa),
                             tag, &f->comm);
    check(f);
}

/* With equal values of high the order of the groups is open: the first member broadcasts which is
 * first. */
static void merge(struct entry *e)
{
    int high[2] = { below(2), below(2) }, first, rank = 0;
    struct entry *f;

    if (!is_inter(e))
        return;
    f = fresh();
    if (member(e)) {
        MPI_Intercomm_merge(e->comm, high[side_of(e, me)], &f->comm);
        MPI_Comm_rank(f->comm, &rank);
    }
    first = high[0] == high[1] ? rank > 0 : high[0];
    MPI_Bcast(&first, 1, MPI_INT, e->members[0][0], MPI_COMM_WORLD);
    f->n[0] = e->n[0] + e->n[1];
    memcpy(f->members[0], e->members[first], sizeof(int) * (size_t) e->n[first]);
    memcpy(f->members[0] + e->n[first], e->members[!first], sizeof(int) * (size_t) e->n[!first]);
    check(f);
}

static int same(int n, const int *a, int m, const int *b)
{
    if (n == m && !memcmp(a, b, sizeof(int) * (size_t) n))
        return 0;
    for (int i = 0; i < n; i++)
        if (n != m || model_place(m, b, a[i]) < 0)
            return 2;
    return n == m ? 1 : 2;
}

static void compare(struct entry *a)
{
    static const int results[] = { MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
    struct entry *b = pick();
    int result = -1;

    if (!member(a) || !member(b))
        return;
    const struct model x = model_of(a), y = model_of(b);
    int local = same(x.size, x.local, y.size, y.local);
    int remote = same(x.peers, x.remote, y.peers, y.remote);
    MPI_Comm_compare(a->comm, b->comm, &result);
    CHECK_INT(result, a == b ? MPI_IDENT : results[local > remote ? local : remote]);
}

static void release(struct entry *e)
{
    if (e == living)
        return;
    complete(e);
    if (below(2))
        check(e);
    if (member(e))
        MPI_Comm_free(&e->comm);
    e->used = 0;
}

/* ---- the program ----------------------------------------------------------------------------- */

static int room(void)
{
    int n = 0;

    for (int i = 0; i < LIVING; i++)
        n += !living[i].used;
    return n;
}

/* idup: MPI_Comm_idup is one of the calls. */
static int property(int *argc, char ***argv, int idup)
{
    static void (*const call[])(struct entry *) = { dup,     split,   create, create_group,
                                                    connect, connect, merge,  compare };
    const int calls = (int) (sizeof call / sizeof *call);

    MPI_Init(argc, argv);
    idups = idup;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    CHECK(size <= MODEL_MOST);
    fresh()->comm = MPI_COMM_WORLD;
    for (int i = 0; i < size; i++)
        living[0].members[0][living[0].n[0]++] = i;
    for (int step = starling() ? STEPS : FEW_STEPS; step > 0; step--) {
        while (room() < 3 || below(8) == 0)
            release(room() % 2 ? any() : pick());
        call[below(calls)](pick());
    }
    for (int i = 1; i < LIVING; i++)
        if (living[i].used)
            release(&living[i]);
    MPI_Finalize();
    return 0;
}

#endif /* PROPERTY_H */
