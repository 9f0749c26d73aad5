/* mapping.c — PMI_process_mapping, "(vector,(0,3,2),(3,1,1))": blocks of a first node, a number of
 * nodes and the ranks on each. Clients use it as a hint of which ranks share a node. */
#include <stdio.h>
#include "pm/server/pm_server_impl.h"

/* The number of ranks from the first one that are on the same node. */
static int node_run_length(const int *node, int size)
{
    int n = 1;

    while (n < size && node[n] == node[0])
        n++;
    return n;
}

void pm_mapping(const int *node, int size, char *text, size_t len)
{
    size_t used = (size_t) snprintf(text, len, "(vector");

    for (int at = 0; at < size && used < len;) {
        int ranks = node_run_length(node + at, size - at), nodes = 1, first = node[at];
        at += ranks;
        while (at < size && node[at] == first + nodes
               && node_run_length(node + at, size - at) == ranks) {
            at += ranks;
            nodes++;
        }
        used += (size_t) snprintf(text + used, len - used, ",(%d,%d,%d)", first, nodes, ranks);
    }
    if (used < len)
        used += (size_t) snprintf(text + used, len - used, ")");
    if (used >= len)
        *text = '\0';
}
