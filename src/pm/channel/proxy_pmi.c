/* proxy_pmi.c — the PMI server of the ranks of a node, with a hub for each job: their notes are
 * frames. */
#include <stdlib.h>
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_proxy_impl.h"

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    const struct pm_proxy_job *j = owner;

    pm_node_pmi(j->proxy->node, j->process_of[rank], bytes, len);
}

static void on_share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    const struct pm_proxy_job *j = owner;

    pm_node_share(j->proxy->node, j->process_of[rank], memory, line, otherwise);
}

static void on_forget(void *owner, int memory)
{
    pm_node_forget(((struct pm_proxy_job *) owner)->proxy->node, memory);
}

static void on_up(void *owner, const struct pm_note *note)
{
    const struct pm_proxy_job *j = owner;
    struct pm_bytes q = { .bytes = NULL };

    if (pm_encode_note(&q, note))
        pm_proxy_fail("its proxy is out of memory");
    else
        pm_proxy_send(&(struct pm_frame) {
            .kind = PM_FRAME_NOTE, .number = j->number, .bytes = q.bytes, .len = q.len });
    pm_bytes_free(&q);
}

static bool make_hub(struct pm_proxy_job *j, const struct pm_server_config *config, int universe)
{
    const struct pm_events events = {
        .owner = j, .send = on_send, .share = on_share, .forget = on_forget, .up = on_up
    };
    struct pm_proxy *p = j->proxy;

    if (!p->server)
        p->server = pm_server_create(universe);
    j->hub = p->server ? pm_server_add_job(p->server, config, &events) : NULL;
    j->process_of = malloc((size_t) config->size * sizeof *j->process_of);
    if (!j->hub || !j->process_of)
        return false;
    j->size = config->size;
    for (int i = 0; i < j->size; i++)
        j->process_of[i] = config->node[i] == config->here ? PM_NOT_STARTED_YET : PM_ELSEWHERE;
    return true;
}

void pm_proxy_add_job(struct pm_proxy *p, const struct pm_frame *f)
{
    struct pm_server_config config;
    struct pm_proxy_job *j;
    int universe;

    if (pm_proxy_job(p, f->number) || pm_decode_job(f->bytes, f->len, &config, &universe)) {
        pm_proxy_fail("its proxy cannot read the job");
        return;
    }
    j = calloc(1, sizeof *j);
    if (j) {
        *j = (struct pm_proxy_job) { .next = p->jobs, .proxy = p, .number = f->number };
        p->jobs = j;
    }
    if (!j || !make_hub(j, &config, universe))
        pm_proxy_fail("its proxy is out of memory");
    pm_decoded_job_free(&config);
}

struct pm_proxy_job *pm_proxy_job(const struct pm_proxy *p, int number)
{
    struct pm_proxy_job *j = p->jobs;

    while (j && j->number != number)
        j = j->next;
    return j;
}

void pm_proxy_free_job(struct pm_proxy *p, int number)
{
    struct pm_proxy_job **at = &p->jobs;

    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct pm_proxy_job *j = *at;
    if (!j)
        return;
    *at = j->next;
    for (int i = 0; i < p->room; i++)
        if (p->process[i].job == j)
            p->process[i].job = NULL;
    if (j->hub)
        pm_server_remove_job(p->server, j->hub);
    if (j->plan)
        pm_decoded_plan_free(j->plan);
    free(j->process_of);
    free(j);
}

void pm_proxy_note(struct pm_proxy *p, const struct pm_frame *f)
{
    const struct pm_proxy_job *j = pm_proxy_job(p, f->number);
    struct pm_note note;

    if (!j || pm_decode_note(f->bytes, f->len, &note) || pm_server_from_root(j->hub, &note))
        pm_proxy_fail("its proxy cannot read a note");
}

bool pm_proxy_has(const struct pm_proxy_job *j, int rank)
{
    return rank < j->size && j->process_of[rank] == PM_NOT_STARTED_YET;
}
