/* places.c — the communicators that cases run on, made once. */
#include "property.h"

static struct place places[MAX_PLACES];
static int count;

static void add(const char *name, MPI_Comm comm)
{
    struct place *p = &places[count++];

    *p = (struct place) { .comm = comm };
    snprintf(p->name, sizeof p->name, "%s", name);
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &p->rank);
    MPI_Comm_size(comm, &p->size[0]);
    p->size[1] = p->size[0];
}

static void split(const char *name, int color, int key)
{
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    add(name, comm);
}

/* An intercommunicator of the processes with group 0 and those with group 1. first: the lowest
 * rank of the other group. */
static void inter(const char *name, int group, int key, int other_leader)
{
    MPI_Comm local, comm;
    int remote;

    MPI_Comm_split(MPI_COMM_WORLD, group, key, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, other_leader, 7, &comm);
    MPI_Comm_free(&local);
    add(name, comm);
    struct place *p = &places[count - 1];
    MPI_Comm_remote_size(comm, &remote);
    p->inter = true;
    p->group = group;
    p->size[1 - group] = remote;
    MPI_Comm_size(comm, &p->size[group]);
}

static void inters(int rank, int size)
{
    if (size < 2)
        return;
    inter("one with all others", rank > 0, rank, rank > 0 ? 0 : 1);
    inter("all others with the last", rank == size - 1, rank, rank == size - 1 ? 0 : size - 1);
    inter("even with odd", rank % 2, rank, 1 - rank % 2);
    if (size > 2) /* a third of the processes, in reverse, and the others */
        inter("a third with the others", rank >= (size + 2) / 3, -rank,
              rank >= (size + 2) / 3 ? (size + 2) / 3 - 1 : size - 1);
}

void places_make(u64 seed)
{
    struct dice d = { hash(seed, 77) };
    MPI_Comm dup;
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    add("MPI_COMM_WORLD", MPI_COMM_WORLD);
    add("MPI_COMM_SELF", MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    add("duplicate", dup);
    split("reversed", 0, -rank);
    split("even and odd", rank % 2, size - rank);
    split("all but the first", rank == 0 ? MPI_UNDEFINED : 0, rank);
    inters(rank, size);
    for (int i = 0; i < 4; i++)
        places[count++] = topo_cart(&d);
    for (int i = 0; i < 2; i++)
        places[count++] = topo_graph(&d);
    for (int i = 0; i < 4; i++)
        places[count++] = topo_adjacent(&d);
}

void places_free(void)
{
    for (int i = 0; i < count; i++) {
        if (places[i].comm != MPI_COMM_NULL && i >= 2)
            MPI_Comm_free(&places[i].comm);
        if (places[i].nodes)
            topo_free(&places[i]);
    }
}

int places_count(void) { return count; }
struct place *place_number(int i) { return &places[i]; }
