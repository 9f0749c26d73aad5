#include <stdlib.h>
#include <string.h>
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

/* A number for the node of this process that no other node of c has. Processes of different jobs
 * are not together: they have no common segment. */
static int number_of_node(struct adi3_comm *c, int *number)
{
    struct adi3_process_name mine = adi3_group_name(adi3_self.group, 0), *all;

    *number = mine.rank = adi3_node_leader();
    if (!adi3_group_spans(c->group))
        return MPI_SUCCESS;
    if (!(all = malloc((size_t) c->size * sizeof *all)))
        return adi3_no_memory("for the nodes of %d processes", c->size);
    int err = mpir_gather_all(c, &mine, sizeof mine, all);
    for (*number = 0; !err && memcmp(&all[*number], &mine, sizeof mine) != 0;)
        ++*number;
    free(all);
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
