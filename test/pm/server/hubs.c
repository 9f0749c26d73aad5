/* hubs.c — the functions of hubs.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "pm/server/pm_spawn.h"
#include "hubs.h"

struct sent { /* a note under way */
    struct sent *next;
    bool up;
    int node;
    struct pm_note note;
    char bytes[];
};

struct hub *hub, root;
char (*reply)[REPLY_MAX];
int broken_rank, abort_rank, abort_code, warnings;
char why[256];
bool survives;

char spawn_text[4096];
int spawn_rank, spawn_request, verdict_rank, verdict_request;
const char *spawn_why, *const *spawn_preput;

static int nodes; /* 0: the root has the ranks */
static int per_node;
static bool root_alone;
static struct sent *first, **last = &first;

static void enqueue(bool up, int node, const struct pm_note *note)
{
    struct sent *s = malloc(sizeof *s + note->len);

    assert_non_null(s);
    *s = (struct sent) { .up = up, .node = node, .note = *note };
    if (note->len)
        memcpy(s->bytes, note->bytes, note->len);
    s->note.bytes = s->bytes;
    *last = s;
    last = &s->next;
    hub[node].notes[note->kind]++;
    hub[node].bytes += note->len;
}

static void on_up(void *owner, const struct pm_note *note)
{
    enqueue(true, ((struct hub *) owner)->node, note);
}

static void on_down(void *owner, int node, const struct pm_note *note)
{
    (void) owner;
    if (!root_alone) {
        enqueue(false, node, note);
        return;
    }
    hub[node].notes[note->kind]++;
    hub[node].bytes += note->len;
}

void send_note(int node, enum pm_note_kind kind, int value, const char *bytes, size_t len)
{
    const struct pm_note note = {
        .kind = kind, .rank = node * per_node, .value = value, .bytes = bytes, .len = len
    };

    assert_int_equal(pm_server_from_hub(root.job, node, &note), 0);
}

/* Delivers one note; false: none is under way. */
static bool deliver(void)
{
    struct sent *s = first;

    if (!s)
        return false;
    if (!(first = s->next))
        last = &first;
    int err = s->up ? pm_server_from_hub(root.job, s->node, &s->note)
                    : pm_server_from_root(hub[s->node].job, &s->note);
    assert_int_equal(err, 0);
    free(s);
    return true;
}

void settle(void)
{
    while (deliver())
        continue;
}

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    (void) owner;
    if (!reply)
        return;
    size_t used = strlen(reply[rank]);

    assert_true(used + len < REPLY_MAX);
    memcpy(reply[rank] + used, bytes, len);
    reply[rank][used + len] = '\0';
}

static void on_abort(void *owner, int rank, int code, const char *text)
{
    assert_ptr_equal(owner, &root);
    abort_rank = rank;
    abort_code = code;
    (void) snprintf(why, sizeof why, "%s", text);
}

static void on_broken(void *owner, int rank, const char *text)
{
    assert_ptr_equal(owner, &root);
    broken_rank = rank;
    (void) snprintf(why, sizeof why, "%s", text);
}

static void on_warning(void *owner, int rank, const char *text)
{
    (void) rank, (void) text;
    assert_ptr_equal(owner, &root);
    warnings++;
}

static void write_request(const struct pm_spawn *s, FILE *f)
{
    for (size_t i = 0; i < s->programs; i++) {
        const struct pm_spawn_program *p = &s->program[i];
        fprintf(f, "%s%d ", i ? " " : "", p->maxprocs);
        for (char **word = p->argv; *word; word++)
            fprintf(f, "%s%s", word > p->argv ? "," : "", *word);
        for (size_t k = 0; k < p->infos; k++)
            fprintf(f, "{%s=%s}", p->info[k].key, p->info[k].value);
    }
    for (size_t i = 0; i < s->preputs; i++)
        fprintf(f, " <%s=%s>", s->preput[i].key, s->preput[i].value);
    if (s->cwd)
        fprintf(f, " cwd %s", s->cwd);
    if (s->environ)
        fputs(" environ ", f);
    for (char **variable = s->environ; variable && *variable; variable++)
        fprintf(f, "[%s]", *variable);
}

static void on_spawn(void *owner, int rank, int request, const struct pm_spawn *s)
{
    FILE *f = fmemopen(spawn_text, sizeof spawn_text, "w");

    assert_ptr_equal(owner, &root);
    assert_non_null(f);
    write_request(s, f);
    assert_int_equal(fclose(f), 0);
    spawn_rank = rank;
    spawn_request = request;
    if (spawn_why)
        pm_server_spawned(root.job, rank, request, &(struct pm_spawn_result) { .why = spawn_why });
}

static void on_verdict(void *owner, int rank, int request, bool kill)
{
    assert_ptr_equal(owner, &root);
    verdict_rank = rank;
    verdict_request = kill ? -request : request;
}

static void open_job(struct hub *h, struct pm_server_config *config)
{
    const struct pm_events events = { .owner = h,
                                      .send = on_send,
                                      .abort = on_abort,
                                      .broken = on_broken,
                                      .warn = on_warning,
                                      .spawn = on_spawn,
                                      .verdict = on_verdict,
                                      .up = h == &root ? NULL : on_up,
                                      .down = on_down };

    config->hubs = h == &root ? nodes : 0;
    config->here = h->node;
    config->survives = survives;
    config->preput = spawn_preput;
    config->spawner = spawn_preput ? "parent" : NULL;
    assert_non_null(h->server = pm_server_create(9));
    assert_non_null(h->job = pm_server_add_job(h->server, config, &events));
}

static void open_jobs(int ranks, bool hubs)
{
    int *appnum = calloc((size_t) ranks, sizeof *appnum);
    int *node = malloc((size_t) ranks * sizeof *node), of_nodes = ranks / per_node;
    struct pm_server_config config = {
        .size = ranks, .appnum = appnum, .node = node, .name = "job", .settings = "A=1"
    };

    hub = calloc((size_t) of_nodes, sizeof *hub);
    assert_true(appnum && node && hub);
    for (int i = 0; i < ranks; i++)
        node[i] = i / per_node;
    nodes = hubs ? of_nodes : 0;
    root = (struct hub) { .node = -1 };
    open_job(&root, &config);
    for (int i = 0; i < nodes && !root_alone; i++) {
        hub[i] = (struct hub) { .node = i };
        open_job(&hub[i], &config);
    }
    free(appnum);
    free(node);
    broken_rank = abort_rank = spawn_rank = spawn_request = verdict_rank = -1;
    *spawn_text = '\0';
    warnings = 0;
}

void create(int of_nodes, bool hubs)
{
    per_node = PER_NODE;
    reply = calloc((size_t) (of_nodes * PER_NODE), sizeof *reply);
    assert_non_null(reply);
    open_jobs(of_nodes * PER_NODE, hubs);
}

void create_root(int ranks, int of_each)
{
    root_alone = true;
    create_large(ranks, of_each);
}

void create_large(int ranks, int of_each)
{
    per_node = of_each;
    reply = NULL;
    open_jobs(ranks, true);
}

void destroy(void)
{
    for (struct sent *next; first; first = next) {
        next = first->next;
        free(first);
    }
    last = &first;
    for (int i = 0; i < nodes && !root_alone; i++)
        pm_server_destroy(hub[i].server);
    root_alone = false;
    pm_server_destroy(root.server);
    free(hub);
    free(reply);
}

static struct pm_server_job *job_of(int rank)
{
    return nodes ? hub[rank / per_node].job : root.job;
}

void send_line(int rank, const char *line)
{
    if (reply)
        reply[rank][0] = '\0';
    pm_server_input(job_of(rank), rank, line, strlen(line));
}

const char *say(int rank, const char *line)
{
    send_line(rank, line);
    settle();
    return reply[rank];
}

void all_say(int count, const char *line)
{
    for (int i = 0; i < count; i++)
        send_line(i, line);
    settle();
}

void end_rank(int rank)
{
    pm_server_closing(job_of(rank), rank);
    settle();
    if (nodes)
        pm_server_gone(root.job, rank);
    pm_server_gone(job_of(rank), rank);
    settle();
}

int notes(int node, enum pm_note_kind kind)
{
    int n = hub[node].notes[kind];

    hub[node].notes[kind] = 0;
    return n;
}

int all_notes(int node)
{
    int n = 0;

    for (int i = 0; i < PM_NOTE_KINDS; i++)
        n += hub[node].notes[i];
    return n;
}

void open_two(void)
{
    create(2, true);
    all_say(8, INIT);
    memset(hub[0].notes, 0, sizeof hub[0].notes);
    memset(hub[1].notes, 0, sizeof hub[1].notes);
}
