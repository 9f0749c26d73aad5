/* trace.c — one file for each rank. Each message between two ranks has a tag of its own, by which a
 * line names the send or the receive that it waits for. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "trace.h"

struct request { /* that has not been waited for */
    int source, dest, tag;
    bool awaited;
};

struct trace {
    FILE *to;
    const struct recording *steps;
    const struct loggp *model;
    int per_node, rank;
    int *sent, *received; /* messages to and from each rank */
    struct request *open;
    size_t opens;
};

static const struct loggp_path *path_of(const struct trace *t, int peer)
{
    return t->rank / t->per_node == peer / t->per_node ? &t->model->near : &t->model->far;
}

static void write_compute(const struct trace *t, uint64_t picoseconds)
{
    if (picoseconds > 0)
        (void) fprintf(t->to, "%d compute %llu\n", t->rank, (unsigned long long) picoseconds);
}

static void write_request(struct trace *t, const struct step *s, const char *what, int tag)
{
    const bool near = path_of(t, s->peer) == &t->model->near;

    (void) fprintf(t->to, "%d %s %d %d %llu 6\n", t->rank, what, s->peer, tag,
                   near ? 0 : (unsigned long long) s->len);
    t->open[t->opens++] = (struct request) { s->peer, s->peer, tag, s->awaited };
}

/* Within a node the sender copies the message. */
static void write_send(struct trace *t, const struct step *s)
{
    const struct loggp_path *path = path_of(t, s->peer);
    const bool near = path == &t->model->near;

    write_compute(t, path->overhead + (near ? s->len * path->byte : 0));
    write_request(t, s, "isend", t->sent[s->peer]++);
    t->open[t->opens - 1].source = t->rank;
}

static void write_recv(struct trace *t, const struct step *s)
{
    write_request(t, s, "irecv", t->received[s->peer]++);
    t->open[t->opens - 1].dest = t->rank;
}

/* Waits for all messages, or for those that are awaited. */
static void write_waits(struct trace *t, bool all)
{
    size_t left = 0;

    for (size_t i = 0; i < t->opens; i++) {
        const struct request *x = &t->open[i];
        if (!all && !x->awaited) {
            t->open[left++] = *x;
            continue;
        }
        (void) fprintf(t->to, "%d wait %d %d %d\n", t->rank, x->source, x->dest, x->tag);
        if (x->dest == t->rank)
            write_compute(t, path_of(t, x->source)->overhead);
    }
    t->opens = left;
}

static void write_steps(struct trace *t)
{
    size_t at = t->steps->first[t->rank];

    (void) fprintf(t->to, "%d init\n", t->rank);
    while (at < t->steps->first[t->rank + 1]) {
        struct step s = recording_step(t->steps, &at);
        if (s.kind == STEP_SEND)
            write_send(t, &s);
        else if (s.kind == STEP_RECV)
            write_recv(t, &s);
        else if (s.kind == STEP_WORK)
            write_compute(t, s.len * t->model->work);
        else
            write_waits(t, s.kind == STEP_FENCE);
    }
    write_waits(t, true);
    (void) fprintf(t->to, "%d finalize\n", t->rank);
}

static bool write_rank(struct trace *t, const char *name)
{
    for (int i = 0; i < t->steps->ranks; i++)
        t->sent[i] = t->received[i] = 0;
    t->opens = 0;
    t->to = fopen(name, "w");
    if (!t->to)
        return false;
    write_steps(t);
    return fclose(t->to) == 0;
}

bool trace_write(const struct recording *r, const struct loggp *model, int per_node,
                 const char *folder)
{
    size_t ranks = (size_t) r->ranks;
    struct trace t = { .steps = r,
                       .model = model,
                       .per_node = per_node,
                       .sent = malloc(ranks * sizeof *t.sent),
                       .received = malloc(ranks * sizeof *t.received),
                       .open = malloc((r->most_steps + 1) * sizeof *t.open) };
    char name[PATH_MAX];

    (void) snprintf(name, sizeof name, "%s/traces", folder);
    FILE *list = fopen(name, "w");
    bool done = list && t.sent && t.received && t.open;
    for (t.rank = 0; done && t.rank < r->ranks; t.rank++) {
        (void) snprintf(name, sizeof name, "%s/%d", folder, t.rank);
        done = fprintf(list, "%s\n", name) > 0 && write_rank(&t, name);
    }
    done = list && fclose(list) == 0 && done;
    free(t.sent);
    free(t.received);
    free(t.open);
    return done;
}
