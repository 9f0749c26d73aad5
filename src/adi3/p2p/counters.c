/* counters.c — the counters of messages. */
#include "adi3/p2p/packets_impl.h"

/* The queues of a communicator's point-to-point messages. */
static const struct adi3_queues *queues_of_comm(const void *comm)
{
    return ((const struct adi3_comm *) comm)->queue[0];
}

static const void *posted_of_comm(const void *comm)
{
    const struct adi3_queues *q = queues_of_comm(comm);

    return q ? &q->nposted : NULL;
}

static const void *unexpected_of_comm(const void *comm)
{
    const struct adi3_queues *q = queues_of_comm(comm);

    return q ? &q->nunexpected : NULL;
}

const struct counter p2p_counters[] = {
    COUNTER_OBJECT_ROW("p2p_posted_receives", COUNTER_LEVEL, COUNTER_OF_COMM, posted_of_comm,
                       "receives",
                       "How many receives are in the posted queue of point-to-point messages."),
    COUNTER_OBJECT_ROW("p2p_unexpected_messages", COUNTER_LEVEL, COUNTER_OF_COMM,
                       unexpected_of_comm, "messages",
                       "How many messages are in the unexpected queue of point-to-point messages."),
    COUNTER_ROW(
        "p2p_contexts", COUNTER_LEVEL, queues_contexts, "contexts",
        "How many contexts have queues: two for each communicator, and those of messages that came "
        "before their communicator."),
    COUNTER_ROW("p2p_device_operations", COUNTER_LEVEL, proto_with_devices, "operations",
                "How many sends of messages, and puts and gets of one-sided communication, devices "
                "have been given and have not finished."),
    COUNTER_ROW("p2p_packets_arriving", COUNTER_LEVEL, packet_arriving, "packets",
                "Of how many packets the header has come and the payload has not."),
    COUNTER_ROW(
        "p2p_reads", COUNTER_LEVEL, p2p_reading, "reads",
        "How many reads of the memory of other processes are under way, for messages and for "
        "shared collective operations."),
    { 0 }
};
