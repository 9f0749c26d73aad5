/* waiting.c — text that waits until a long line of another node has ended.
 *
 * A node passes on a line that is too long to hold in parts, and holds back its other output for
 * the same sink meanwhile. Output of other nodes waits here. They are paused, so that it is as much
 * as was under way. */
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/output/output_impl.h"

struct waiting {
    struct waiting *next;
    struct pm_rank *rank;
    int stream;
    bool ended; /* it is the end of the stream, and no text */
    struct pm_text text;
    char bytes[];
};

static struct waiting *first, **last = &first;

static bool has_waiting(int sink, const struct pm_host *h)
{
    for (const struct waiting *w = first; w; w = w->next)
        if (w->rank->host == h && pm_sink_number(w->rank->sink[w->stream]) == sink)
            return true;
    return false;
}

/* True when the text, or with NULL the end of the stream, has to wait. */
bool pm_waiting_add(struct pm_rank *r, int stream, const struct pm_text *t)
{
    struct pm_host *h = r->host;
    struct pm_sink *k = r->sink[stream];
    size_t len = t ? t->len : 0;

    if (h->run->hosts == 1 || !pm_sink_waits(k, h->number))
        return false;
    if (!t && !has_waiting(pm_sink_number(k), h))
        return false;
    struct waiting *w = malloc(sizeof *w + len);
    if (!w) /* a long line in two parts is better than lost text */
        return false;
    *w = (struct waiting) { .rank = r, .stream = stream, .ended = !t };
    if (t) {
        memcpy(w->bytes, t->bytes, len);
        w->text = (struct pm_text) { w->bytes, len, t->more, t->node };
    }
    *last = w;
    last = &w->next;
    pm_host_pause(h, pm_sink_number(k), true);
    return true;
}

bool pm_output_waits(const struct pm_job *j)
{
    for (const struct waiting *w = first; w; w = w->next)
        if (w->rank->job == j)
            return true;
    return false;
}

void pm_waiting_pause(const struct pm_run *r, int sink, bool full)
{
    for (int i = 0; i < r->hosts; i++)
        pm_host_pause(r->host[i], sink, full || has_waiting(sink, r->host[i]));
}

/* What waits for other sinks, or has to wait again, is added once more. */
void pm_waiting_replay(const struct pm_run *r, int sink, bool full, pm_waiting_put *put)
{
    struct waiting *w = first;

    if (!w)
        return;
    first = NULL;
    last = &first;
    for (struct waiting *next; w; w = next) {
        next = w->next;
        put(w->rank, w->stream, w->ended ? NULL : &w->text);
        free(w);
    }
    pm_waiting_pause(r, sink, full);
}
