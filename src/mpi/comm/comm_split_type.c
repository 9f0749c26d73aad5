#include <stdlib.h>
#include <strings.h>
#include "mpi/comm/comm.h"
#include "mpi/info/info.h"

/* The resources of a node that mpi_hw_resource_type may name, by names of hwloc and of MPI. */
static const struct resource {
    const char *name;
    enum adi3_level level;
} resources[] = {
    { "package", ADI3_PACKAGE }, { "socket", ADI3_PACKAGE }, { "numanode", ADI3_NUMA },
    { "numa", ADI3_NUMA },       { "l3cache", ADI3_L3 },     { "l2cache", ADI3_L2 },
    { "core", ADI3_CORE },       { "pu", ADI3_PU },          { "hwthread", ADI3_PU },
};
enum { RESOURCES = sizeof resources / sizeof *resources };

static int type_arg(int split_type)
{
    if (!mpir_checking() || split_type == MPI_COMM_TYPE_SHARED || split_type == MPI_UNDEFINED)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG,
                      "split_type %d is neither MPI_COMM_TYPE_SHARED nor "
                      "MPI_UNDEFINED",
                      split_type);
}

/* The resource that info asks for; NULL when there is none or its name is not known. */
static const struct resource *find_resource(const struct mpir_info *info)
{
    const char *name = mpir_info_get(info, "mpi_hw_resource_type");

    for (int i = 0; name && i < RESOURCES; i++)
        if (!strcasecmp(name, resources[i].name))
            return &resources[i];
    return NULL;
}

static bool is_of_several_jobs(const struct adi3_comm *c)
{
    return c->group->others || (c->remote && c->remote->others);
}

/* The nodes of all processes of a group, the other one's in the case of an intercommunicator; *less
 * grows by how many of them have a lower number than ours. */
static int count_lower_nodes(struct adi3_comm *c, int n, uint64_t mine, int *less)
{
    uint64_t *all = malloc((size_t) n * sizeof *all);
    int err = all ? mpir_gather_all(c, &mine, sizeof mine, all)
                  : adi3_no_memory("for the nodes of %d processes", n);

    for (int i = 0; !err && i < n; i++)
        *less += all[i] < mine;
    free(all);
    return err;
}

/* A number for the node of this process that no other node of c has. */
static int number_of_node(struct adi3_comm *c, int *number)
{
    int err = MPI_SUCCESS;

    *number = adi3_node_leader();
    if (!is_of_several_jobs(c))
        return MPI_SUCCESS;
    *number = 0;
    if (c->local)
        err = count_lower_nodes(c->local, c->local->size, adi3_node_here(), number);
    if (!err)
        err = count_lower_nodes(c, c->peers, adi3_node_here(), number);
    return err;
}

/* Splits a communicator of one node by jobs if some of its processes have not come to share memory:
 * each job is connected by processes of other nodes. *node becomes the part of this process. */
static int split_strangers(struct adi3_comm **node, int key)
{
    struct adi3_comm *c = *node;
    int all, first = 0, err = mpir_least_of_all(c, adi3_shares_memory(c), &all);
    const uint64_t job = adi3_group_name(c->group, c->rank).job;

    if (err || all)
        return err;
    while (adi3_group_name(c->group, first).job != job)
        first++;
    err = mpir_comm_split(c, first, key, node);
    c->closed = ADI3_FREED;
    adi3_comm_release(c);
    return err;
}

/* Splits by nodes, then by the resource that each process is bound to. Processes that are not bound
 * to one are together. */
static int node_comm_split(struct adi3_comm *c, int key, const struct resource *resource,
                           struct adi3_comm **made)
{
    struct adi3_comm *node = NULL;
    struct adi3_place place;
    int number, err = number_of_node(c, &number);

    if (!err)
        err = mpir_comm_split(c, number, key, &node);
    if (!err && node && !node->remote && node->group->others)
        err = split_strangers(&node, key);
    if (err || !node || !resource) {
        *made = node;
        return err;
    }
    bool known = adi3_place(&adi3_self, 0, &place) && place.at[resource->level] >= 0;
    err = mpir_comm_split(node, known ? place.at[resource->level] + 1 : 0, key, made);
    node->closed = ADI3_FREED;
    adi3_comm_release(node);
    return err;
}

/* Creates new communicators from the processes of comm that share a resource (§6.4.2). split_type
 * is MPI_COMM_TYPE_SHARED for processes that can share memory, or MPI_UNDEFINED, which gives
 * MPI_COMM_NULL. Processes are ranked by key, then by their rank in comm. The info key
 * mpi_hw_resource_type (package, numanode, l3cache, l2cache, core, pu), the same in all processes,
 * asks for the processes that are bound to the same such part of a node. Intercommunicators are
 * split as MPI_Comm_split does. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_NO_MEM. */
int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_split_type", comm, split_type, key, info, newcomm);
    struct adi3_comm *c, *made = NULL;
    struct mpir_info *i;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(type_arg(split_type));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    if (split_type == MPI_UNDEFINED)
        TRY(mpir_comm_split(c, MPI_UNDEFINED, key, &made));
    else
        TRY(node_comm_split(c, key, find_resource(i), &made));
    *newcomm = made ? made->handle : MPI_COMM_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_split_type);
