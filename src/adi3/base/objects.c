/* objects.c — the predefined communicators and groups, and the pools of all others. */
#include "adi3/base/base.h"

void (*adi3_warn)(const char *line);
void (*adi3_comm_last)(struct adi3_comm *c);

/* How many handles of a communicator the program should have freed. */
static int comm_handles(const void *object)
{
    const struct adi3_comm *c = object;

    return c->closed != ADI3_FREED && adi3_creator(&adi3_comms, c);
}

static int group_handles(const void *object)
{
    return ((const struct adi3_group *) object)->handles;
}

struct adi3_comm adi3_world, adi3_self;
struct adi3_pool adi3_comms = ADI3_POOL_OF(ADI3_COMM, struct adi3_comm, comm_handles);
struct adi3_pool adi3_groups = ADI3_POOL_OF(ADI3_GROUP, struct adi3_group, group_handles);
struct adi3_group adi3_group_empty = {
    .handle = MPI_GROUP_EMPTY, .refs = 1, .handles = 1, .rank = MPI_UNDEFINED
};
