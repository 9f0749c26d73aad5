/* node_map.c — which ranks are together on other nodes, by one request to Starling's mpiexec.
 *
 * The lowest rank of each node puts the list of its ranks, and mpiexec returns all lists at once.
 * With other launchers, and for a node whose list is too long, the business card of each process
 * has to be read, which is a request for each rank. */
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

enum { ALL_MAX = 1 << 16 }; /* bytes of all lists */

static const char prefix[] = "node-";
static bool asked;

static int by_number(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }

static void node_map_append(char *text, const char *before, int n)
{
    memcpy(text + strlen(text), before, strlen(before) + 1);
    text_append_number(text, n);
}

bool node_map_write(const int *rank, int count, char text[NODE_LIST])
{
    *text = '\0';
    for (int i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && rank[last + 1] == rank[last] + 1; last++)
            continue;
        if (strlen(text) + sizeof ",2147483647-2147483647" > NODE_LIST)
            return false;
        node_map_append(text, i ? "," : "", rank[i]);
        if (last > i)
            node_map_append(text, "-", rank[last]);
    }
    return true;
}

int node_map_publish(void)
{
    char key[32], text[NODE_LIST];
    int *rank, err = 0;

    asked = false;
    if (proc_reopened || adi3_node_leader() != adi3_job.rank) /* the old lists are still there */
        return MPI_SUCCESS;
    if (!(rank = malloc((size_t) adi3_node.count * sizeof *rank)))
        return adi3_no_memory("for the ranks of this node");
    for (int i = 0; i < adi3_node.count; i++)
        rank[i] = node_rank(i);
    qsort(rank, (size_t) adi3_node.count, sizeof *rank, by_number);
    memcpy(key, prefix, sizeof prefix);
    text_append_number(key, adi3_job.rank);
    if (node_map_write(rank, adi3_node.count, text))
        err = pmi_put(key, text);
    free(rank);
    return err ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : MPI_SUCCESS;
}

/* Reads "20" or "0-15" from the front: false when it is neither, or not of this job. */
static bool take_range(const char **text, int *first, int *last)
{
    char *end;
    long from = strtol(*text, &end, 10), to = from;

    if (*end == '-')
        to = strtol(end + 1, &end, 10);
    if (end == *text || !strchr(",;", *end) || from < 0 || to < from || to >= adi3_job.size)
        return false;
    *text = end;
    *first = (int) from;
    *last = (int) to;
    return true;
}

void node_map_read(const char *text)
{
    int leader = -1, first, last;

    while (*text && take_range(&text, &first, &last)) {
        leader = leader < 0 ? first : leader;
        for (int i = first; i <= last; i++)
            if (!adi3_procs[i].peer.node)
                adi3_procs[i].node = leader;
        if (*text == ';')
            leader = -1;
        text += *text != '\0';
    }
}

void node_map_fetch(void)
{
    char *text = asked ? NULL : malloc(ALL_MAX);

    if (text && !pmi_all(prefix, text, ALL_MAX))
        node_map_read(text);
    asked = true;
    free(text);
}
