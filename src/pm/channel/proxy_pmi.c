/* proxy_pmi.c — the PMI server of the ranks of a node, which is a hub: its notes are frames. */
#include <stdlib.h>
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_proxy_impl.h"

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    const struct pm_proxy *p = owner;

    pm_node_pmi(p->node, p->process_of[rank], bytes, len);
}

static void on_share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    const struct pm_proxy *p = owner;

    pm_node_share(p->node, p->process_of[rank], memory, line, otherwise);
}

static void on_forget(void *owner, int memory)
{
    pm_node_forget(((struct pm_proxy *) owner)->node, memory);
}

static void on_up(void *owner, const struct pm_note *note)
{
    struct pm_bytes q = { .bytes = NULL };

    (void) owner;
    if (pm_encode_note(&q, note))
        pm_proxy_fail("its proxy is out of memory");
    else
        pm_proxy_send(&(struct pm_frame) { .kind = PM_FRAME_NOTE, .bytes = q.bytes, .len = q.len });
    pm_bytes_free(&q);
}

static bool make_hub(struct pm_proxy *p, const struct pm_server_config *config, int universe)
{
    const struct pm_events events = {
        .owner = p, .send = on_send, .share = on_share, .forget = on_forget, .up = on_up
    };

    p->server = pm_server_create(universe);
    p->job = p->server ? pm_server_add_job(p->server, config, &events) : NULL;
    p->process_of = malloc((size_t) config->size * sizeof *p->process_of);
    if (!p->job || !p->process_of)
        return false;
    p->size = config->size;
    for (int i = 0; i < p->size; i++)
        p->process_of[i] = config->node[i] == config->here ? PM_NOT_STARTED_YET : PM_ELSEWHERE;
    return true;
}

void pm_proxy_job(struct pm_proxy *p, const struct pm_frame *f)
{
    struct pm_server_config config;
    int universe;

    if (p->server || pm_decode_job(f->bytes, f->len, &config, &universe)) {
        pm_proxy_fail("its proxy cannot read the job");
        return;
    }
    if (!make_hub(p, &config, universe))
        pm_proxy_fail("its proxy is out of memory");
    pm_decoded_job_free(&config);
}

void pm_proxy_note(struct pm_proxy *p, const struct pm_frame *f)
{
    struct pm_note note;

    if (!p->server || pm_decode_note(f->bytes, f->len, &note) || pm_server_from_root(p->job, &note))
        pm_proxy_fail("its proxy cannot read a note");
}

bool pm_proxy_has(const struct pm_proxy *p, int rank)
{
    return rank < p->size && p->process_of[rank] == PM_NOT_STARTED_YET;
}
