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
    int rank, stream;
    bool ended; /* it is the end of the stream, and no text */
    struct pm_text text;
    char bytes[];
};

static struct waiting *first, **last = &first;

static struct pm_sink *sink_of(const struct pm_job *j, const struct waiting *w)
{
    return j->rank[w->rank].sink[w->stream];
}

static bool has_waiting(const struct pm_job *j, int sink, const struct pm_host *h)
{
    for (const struct waiting *w = first; w; w = w->next)
        if (j->rank[w->rank].host == h && pm_sink_number(sink_of(j, w)) == sink)
            return true;
    return false;
}

/* True when the text, or with NULL the end of the stream, has to wait. */
bool pm_waiting_add(struct pm_job *j, int rank, int stream, const struct pm_text *t)
{
    struct pm_host *h = j->rank[rank].host;
    struct pm_sink *k = j->rank[rank].sink[stream];
    size_t len = t ? t->len : 0;

    if (j->hosts == 1 || !pm_sink_waits(k, (int) (h - j->host)))
        return false;
    if (!t && !has_waiting(j, pm_sink_number(k), h))
        return false;
    struct waiting *w = malloc(sizeof *w + len);
    if (!w) /* a long line in two parts is better than lost text */
        return false;
    *w = (struct waiting) { .rank = rank, .stream = stream, .ended = !t };
    if (t) {
        memcpy(w->bytes, t->bytes, len);
        w->text = (struct pm_text) { w->bytes, len, t->more, t->node };
    }
    *last = w;
    last = &w->next;
    pm_host_pause(h, pm_sink_number(k), true);
    return true;
}

void pm_waiting_pause(struct pm_job *j, int sink, bool full)
{
    for (int i = 0; i < j->hosts; i++)
        pm_host_pause(&j->host[i], sink, full || has_waiting(j, sink, &j->host[i]));
}

/* What waits for other sinks, or has to wait again, is added once more. */
void pm_waiting_replay(struct pm_job *j, int sink, bool full, pm_waiting_put *put)
{
    struct waiting *w = first;

    if (!w)
        return;
    first = NULL;
    last = &first;
    for (struct waiting *next; w; w = next) {
        next = w->next;
        put(j, w->rank, w->stream, w->ended ? NULL : &w->text);
        free(w);
    }
    pm_waiting_pause(j, sink, full);
}
