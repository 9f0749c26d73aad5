/* pmi_notes.c — any notes for the root of PMI servers, and for a hub whose ranks send any bytes.
 *
 * Blocks of a first byte, which says for whom it is, then a note, or a length and bytes. */
#include "fuzz.h"
#include "pm/pmi/pmi_calls.h"
#include "pm/server/pm_hub.h"
#include "pm/server/pm_spawn.h"

enum { SIZE = 4, NODES = 2, TO_ROOT = 64, TO_HUB = 128, ENDS = 250 };

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    (void) owner;
    MUST(rank >= SIZE / NODES && rank < SIZE && len > 6 && bytes);
}

static void on_share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    MUST((memory >= 0 || memory == PMI_CALLS) && *otherwise);
    on_send(owner, rank, line, strlen(line));
}

static void on_forget(void *owner, int memory)
{
    (void) owner;
    MUST(memory >= 0);
}

static void on_abort(void *owner, int rank, int code, const char *why)
{
    (void) owner, (void) code;
    MUST(rank >= 0 && rank < SIZE && !strpbrk(why, "\n\r"));
}

static void on_text(void *owner, int rank, const char *what) { on_abort(owner, rank, 0, what); }

/* Its texts have an end. */
static void on_note(const struct pm_note *note)
{
    MUST(note->generation >= 0 && note->rank >= 0 && note->rank < SIZE);
    MUST(!note->len || !note->bytes[note->len - 1]);
}

static void on_up(void *owner, const struct pm_note *note)
{
    (void) owner;
    on_note(note);
    MUST(note->kind >= PM_NOTE_JOINED && note->kind < PM_NOTE_RELEASE);
}

static void on_down(void *owner, int node, const struct pm_note *note)
{
    (void) owner;
    on_note(note);
    MUST(node >= 0 && node < NODES);
    MUST(note->kind >= PM_NOTE_RELEASE && note->kind < PM_NOTE_KINDS);
}

static void on_spawn(void *owner, int rank, int request, const struct pm_spawn *s)
{
    const struct pm_spawn_result r = { .why = request % 2 ? "no" : NULL, .jobid = "fuzz-1" };

    MUST(rank >= 0 && rank < SIZE && s->programs > 0);
    pm_server_spawned(*(struct pm_server_job **) owner, rank, request, &r);
}

static void on_verdict(void *owner, int rank, int request, bool kill)
{
    MUST(rank >= 0 && rank < SIZE);
    if (kill)
        pm_server_spawn_lost(*(struct pm_server_job **) owner, rank, request, "its reason");
}

static void take_note(struct feed *f, struct pm_note *note)
{
    const uint8_t *bytes;

    note->kind = (enum pm_note_kind) feed_byte(f);
    note->generation = (int8_t) feed_byte(f);
    note->rank = (int8_t) feed_byte(f);
    note->value = (int8_t) feed_byte(f);
    note->len = feed_bytes(f, feed_byte(f), &bytes);
    note->bytes = (const char *) bytes;
}

static void of_rank(struct pm_server_job *root, struct pm_server_job *hub, struct feed *f,
                    uint8_t first)
{
    int rank = SIZE / NODES + first % (SIZE / NODES);
    const uint8_t *bytes;

    if (first >= ENDS) {
        pm_server_closing(hub, rank);
        if (first % 2)
            pm_server_lost(root, rank - 2 * (first == UINT8_MAX));
        else
            pm_server_gone(root, rank);
        pm_server_gone(hub, rank);
        return;
    }
    size_t got = feed_bytes(f, feed_byte(f), &bytes);
    pm_server_input(hub, rank, (const char *) bytes, got);
}

static void exchange(const uint8_t *data, size_t len, bool survives)
{
    static const int appnum[SIZE], node[SIZE] = { 0, 0, 1, 1 };
    struct pm_server_config config = { .size = SIZE,
                                       .appnum = appnum,
                                       .node = node,
                                       .hubs = NODES,
                                       .here = 1,
                                       .name = "fuzz",
                                       .survives = survives };
    struct pm_server_job *root = NULL;
    struct pm_events events = { .owner = &root,
                                .send = on_send,
                                .share = on_share,
                                .forget = on_forget,
                                .abort = on_abort,
                                .broken = on_text,
                                .warn = on_text,
                                .down = on_down,
                                .spawn = on_spawn,
                                .verdict = on_verdict };
    struct pm_server *of_root = pm_server_create(-1), *of_hub = pm_server_create(-1);
    MUST(of_root && of_hub);
    root = pm_server_add_job(of_root, &config, &events);
    config.hubs = 0;
    events.up = on_up;
    struct pm_server_job *hub = pm_server_add_job(of_hub, &config, &events);
    struct feed f = { data, len };
    struct pm_note note;

    MUST(root && hub);
    while (f.left) {
        uint8_t first = feed_byte(&f);
        if (first < TO_HUB)
            take_note(&f, &note);
        if (first < TO_ROOT)
            (void) pm_server_from_hub(root, first % (NODES + 1), &note);
        else if (first < TO_HUB)
            (void) pm_server_from_root(hub, &note);
        else
            of_rank(root, hub, &f, first);
    }
    pm_server_destroy(of_root);
    pm_server_destroy(of_hub);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    exchange(data, len, false);
    exchange(data, len, true);
    return 0;
}
