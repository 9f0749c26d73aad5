/* node_map.c — which ranks are together on other nodes, by one request to Starling's mpiexec.
 *
 * The lowest rank of each node puts the list of its ranks, and mpiexec returns all lists at once. A
 * list that does not fit one value is several, each of which begins with that rank. With other
 * launchers the business card of each process has to be read, which is a request for each rank. */
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

static const char prefix[] = "node-";

struct run { /* of ranks: first, first + stride, ..., last */
    int first, last, stride;
};

static int by_number(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }

static void node_map_append(char *text, const char *before, int n)
{
    memcpy(text + strlen(text), before, strlen(before) + 1);
    text_append_number(text, n);
}

/* How many of the ranks are the run at their front. Two that are no neighbors are none. */
static int run_length(const int *rank, int count)
{
    int n = 1;

    while (n < count && rank[n] - rank[n - 1] == rank[1] - rank[0])
        n++;
    return n == 2 && rank[1] - rank[0] > 1 ? 1 : n;
}

int node_map_write(const int *rank, int count, int from, char text[NODE_LIST])
{
    *text = '\0';
    if (from)
        node_map_append(text, "", rank[0]);
    while (from < count && strlen(text) + sizeof ",2147483647-2147483647:2147483647" <= NODE_LIST) {
        const int n = run_length(rank + from, count - from), *last = &rank[from + n - 1];
        node_map_append(text, *text ? "," : "", rank[from]);
        if (n > 1)
            node_map_append(text, "-", *last);
        if (n > 1 && last[0] - last[-1] > 1)
            node_map_append(text, ":", last[0] - last[-1]);
        from += n;
    }
    return from;
}

/* Puts all lists of this node's ranks, which are sorted. */
static int put_lists(const int *rank, int count)
{
    char key[64], text[NODE_LIST];
    int err = 0;

    for (int from = 0, list = 0; from < count && !err; list++) {
        memcpy(key, prefix, sizeof prefix);
        text_append_number(key, rank[0]);
        if (list)
            node_map_append(key, ".", list);
        from = node_map_write(rank, count, from, text);
        err = pmi_put(key, text);
    }
    return err ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : MPI_SUCCESS;
}

int node_map_publish(void)
{
    int *rank;

    if (proc_reopened || adi3_node_leader() != adi3_job.rank) /* the old lists are still there */
        return MPI_SUCCESS;
    if (!(rank = malloc((size_t) adi3_node.count * sizeof *rank)))
        return adi3_no_memory("for the ranks of this node");
    for (int i = 0; i < adi3_node.count; i++)
        rank[i] = node_rank(i);
    qsort(rank, (size_t) adi3_node.count, sizeof *rank, by_number);
    int err = put_lists(rank, adi3_node.count);
    free(rank);
    return err;
}

/* Takes a decimal number below the size of the job from the front; -1: there is none. */
static int take_number(const char **text)
{
    const char *at = *text;
    long n = 0;

    for (; *at >= '0' && *at <= '9' && n < adi3_job.size; at++)
        n = 10 * n + (*at - '0');
    if (at == *text || n >= adi3_job.size)
        return -1;
    *text = at;
    return (int) n;
}

/* Takes "20", "0-15" or "5-2101:16" from the front, and the ',' or ';' behind it, which is
 * returned; '\0': it is none of these, or not of this job. */
static char take_run(const char **text, struct run *r)
{
    const char *at = *text;

    r->first = r->last = take_number(&at);
    r->stride = 1;
    if (*at == '-') {
        at++;
        r->last = take_number(&at);
        if (*at == ':') {
            at++;
            r->stride = take_number(&at);
        }
    }
    if (r->first < 0 || r->last < r->first || r->stride < 1 || (r->last - r->first) % r->stride != 0
        || (*at != ',' && *at != ';'))
        return '\0';
    *text = at + 1;
    return *at;
}

int node_map_read(const char *text, int *node)
{
    int leader = -1;

    while (*text) {
        struct run r;
        char end = take_run(&text, &r);
        if (!end)
            return adi3_error(MPI_ERR_OTHER,
                              "the launcher's lists of the ranks of each node have '%.40s', where "
                              "ranks of this job of %d processes belong",
                              text, adi3_job.size);
        leader = leader < 0 ? r.first : leader;
        for (long i = r.first; i <= r.last; i += r.stride)
            node[i] = leader + 1;
        if (end == ';')
            leader = -1;
    }
    return MPI_SUCCESS;
}

int node_map_fetch(int *node)
{
    char *text;

    if (pmi_all(prefix, &text))
        return MPI_SUCCESS;
    int err = node_map_read(text, node);
    free(text);
    return err;
}
