/* property.h — random cases of collective operations.
 *
 * A case is drawn from a seed that all processes have. So each process knows what every other
 * one sends, and can compute what it should receive. draw.c decides what is called, flow.c says
 * which block comes from where, items.c and parts.c make types and buffers, expect.c computes
 * their contents, call.c makes the calls, main.c has several cases in flight at the same time. */
#ifndef PROPERTY_H
#define PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include "mpitest.h"

enum operation {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLGATHERV,
    NEIGHBOR_ALLTOALL,
    NEIGHBOR_ALLTOALLV,
    NEIGHBOR_ALLTOALLW,
    OPERATIONS
};
extern const char *const operation_names[OPERATIONS];

enum form { BLOCKING, NONBLOCKING, PERSISTENT };

/* ---- hash.c: pseudo-random numbers ---- */

typedef unsigned long long u64;

u64 hash(u64 a, u64 b);
u64 hash4(u64 seed, int a, int b, int c);

struct dice { /* the same on all processes */
    u64 state;
};
int roll(struct dice *d, int sides); /* 0 .. sides - 1 */
void shuffle(struct dice *d, int *order, int n);

/* ---- items.c: an item is a few numbers, which types lay out in several ways ---- */

enum { MAX_ATOMS = 4, LAYOUTS = 5 };
enum kind { SIGNED_CHAR, SHORT, INT, DOUBLE };
enum { ITEM_INT = 0, ITEM_AFFINE = 4, ITEM_PAIR = 5, ITEMS = 9 };

struct item {
    const char *name;
    int atoms;
    enum kind kind[MAX_ATOMS];
};

struct layout {
    const struct item *item;
    MPI_Datatype type;
    MPI_Aint off[MAX_ATOMS]; /* of each atom */
    MPI_Aint extent, low, high;
    bool predefined;
};

void items_make(void);
void items_free(void);
const struct item *item_number(int item);
struct layout *item_layout(int item, int number);
const struct layout *layout_of(MPI_Datatype type);
void layout_store(const struct layout *l, char *at, const long long *atoms);
void layout_load(const struct layout *l, const char *at, long long *atoms);
long long narrow(enum kind kind, long long value);

/* ---- reduction.c ---- */

enum reduction {
    SUM,
    MAX,
    MIN,
    BXOR,
    PROD,
    MINLOC,
    USER_SUM,
    USER_SUM_ORDERED,
    AFFINE,
    REDUCTIONS
};

struct operator
{
    const char *name;
    MPI_Op op;
};

void reductions_make(void);
void reductions_free(void);
const struct operator* reduction_operator(enum reduction r);
bool reduction_takes(enum reduction r, int item);
void reduce_atoms(enum reduction r, const struct item *item, long long *left,
                  const long long *right);
long long reduction_value(enum reduction r, enum kind kind, int atom, u64 random);

/* ---- places.c: communicators ---- */

enum { MAX_PLACES = 24 };

struct edge { /* the other end, and which of its blocks this one is; rank -1: there is no other
               * end */
    int rank, block;
};

struct node { /* neighbors of a process */
    int ins, outs;
    struct edge *in, *out;
};

struct place {
    char name[60];
    MPI_Comm comm; /* MPI_COMM_NULL: this process is not a member */
    int group, rank;
    int size[2]; /* of both groups; the same in an intracommunicator */
    bool inter;
    struct node *nodes; /* of each rank; NULL: no topology */
};

void places_make(u64 seed);
void places_free(void);
int places_count(void);
struct place *place_number(int i);

/* ---- topo.c ---- */
struct place topo_cart(struct dice *d);
struct place topo_graph(struct dice *d);
struct place topo_adjacent(struct dice *d);
void topo_free(struct place *p);

/* ---- draw.c ---- */

struct instance { /* a case */
    u64 seed;
    int number;
    enum operation operation;
    enum form form;
    int rounds; /* times that a persistent operation is started */
    struct place *place;
    int item, layout; /* in a reduction all processes have this layout */
    enum reduction reduction;
    bool in_place;
    int count[2]; /* for each group */
    int root, root_group;
};

struct instance draw(u64 seed, int number, int operation);
bool is_reduction(enum operation o);
bool is_neighborhood(enum operation o);
bool is_rooted(enum operation o);
bool is_root(const struct instance *c);
void describe(const struct instance *c, char *text, size_t len);
void fail(const struct instance *c, const char *what);

/* ---- flow.c ---- */

struct source {             /* of a block that is received */
    int group, rank, block; /* rank -1: no block comes */
    int first, end;         /* ranks whose operands are combined, when end > 0 */
    int skip, count;        /* items of the sent block */
};

int flow_sends(const struct instance *c);
int flow_receives(const struct instance *c);
int flow_amount(const struct instance *c, int group, int rank, int block);
int flow_part(const struct instance *c, int group, int rank);
struct source flow_source(const struct instance *c, int block);

/* ---- parts.c ---- */

struct block {
    const struct layout *layout;
    int count;
    MPI_Aint at; /* bytes from base */
};

struct part { /* what is sent, or what is received */
    int n;
    struct block *block;
    char *mem, *base, *image; /* image: expected contents of mem */
    size_t len;
    int *counts, *displs; /* as MPI's functions take them */
    MPI_Aint *bytes;
    MPI_Datatype *types;
};

struct task {
    struct instance c;
    struct part send, recv;
    MPI_Request request;
};

void parts_make(struct task *t);
void parts_free(struct task *t);

/* ---- expect.c ---- */
void expect_fill(struct task *t, int round); /* before a call */
void expect_check(struct task *t);           /* after a call */

/* ---- call.c ---- */
void call(struct task *t);

#endif /* PROPERTY_H */
