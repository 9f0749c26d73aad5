/* channel.c — a channel that gets any bytes: frames that are cut anywhere, and payloads of
 * structures. What can be read is written and read again, and must be the same. */
#include "fuzz.h"
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_frame.h"

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static void same_list(char *const *a, char *const *b)
{
    for (; *a; a++, b++)
        MUST(same_text(*a, *b));
    MUST(!*b);
}

static void plan(const char *bytes, size_t len)
{
    struct pm_plan *a = pm_decode_plan(bytes, len), *b;
    struct pm_bytes q = { .bytes = NULL };

    if (!a)
        return;
    MUST(!pm_encode_plan(&q, a));
    MUST(q.len == len && !memcmp(q.bytes, bytes, len));
    b = pm_decode_plan(q.bytes, q.len);
    MUST(b && b->job == a->job && b->executables == a->executables && b->processes == a->processes);
    for (size_t i = 0; i < a->executables; i++) {
        const struct pm_executable *x = &a->executable[i], *y = &b->executable[i];
        MUST(x->argv[0] && x->login == y->login);
        same_list(x->argv, y->argv);
        same_list(x->environ, y->environ);
        MUST(same_text(x->wdir, y->wdir) && same_text(x->path, y->path));
        MUST(same_text(x->arch, y->arch));
    }
    pm_decoded_plan_free(a);
    pm_decoded_plan_free(b);
    pm_bytes_free(&q);
}

static void job(const char *bytes, size_t len)
{
    struct pm_server_config config;
    struct pm_bytes q = { .bytes = NULL };
    int universe;

    if (pm_decode_job(bytes, len, &config, &universe))
        return;
    for (int i = 0; i < config.size; i++)
        MUST(config.node[i] >= 0 && config.programs[config.appnum[i]]);
    MUST(!pm_encode_job(&q, &config, universe) && q.len == len && !memcmp(q.bytes, bytes, len));
    pm_bytes_free(&q);
    pm_decoded_job_free(&config);
}

static void note(const char *bytes, size_t len)
{
    struct pm_bytes q = { .bytes = NULL };
    struct pm_note n;

    if (pm_decode_note(bytes, len, &n))
        return;
    MUST(n.kind >= PM_NOTE_JOINED && n.kind < PM_NOTE_KINDS && n.generation >= 0 && n.rank >= 0);
    MUST(!pm_encode_note(&q, &n) && q.len == len && !memcmp(q.bytes, bytes, len));
    pm_bytes_free(&q);
}

static void structures(const char *bytes, size_t len)
{
    struct pm_start start;
    struct pm_refusal why;
    const char *host, *topology;
    struct pm_bytes q = { .bytes = NULL };

    if (!pm_decode_start(bytes, len, &start)) {
        MUST(start.sink[0] >= 0 && start.sink[1] >= 0 && start.hold[0] <= PM_HOLD_PROMPTS);
        MUST(!pm_encode_start(&q, &start) && q.len == len && !memcmp(q.bytes, bytes, len));
        pm_bytes_take(&q, q.len);
    }
    char *const *words = pm_decode_words(bytes, len);
    if (words) {
        MUST(!pm_encode_words(&q, words) && q.len == len && !memcmp(q.bytes, bytes, len));
        pm_bytes_take(&q, q.len);
    }
    free((void *) (uintptr_t) words);
    if (!pm_decode_ready(bytes, len, &host, &topology)) {
        MUST(!pm_encode_ready(&q, host, topology) && q.len == len && !memcmp(q.bytes, bytes, len));
        pm_bytes_take(&q, q.len);
    }
    if (!pm_decode_refusal(bytes, len, &why))
        MUST(!pm_encode_refusal(&q, &why) && q.len == len && !memcmp(q.bytes, bytes, len));
    pm_bytes_free(&q);
    plan(bytes, len);
    job(bytes, len);
    note(bytes, len);
}

/* Each piece has its length before it. */
static void frames(struct feed *f, bool from_proxy)
{
    struct pm_bytes q = { .bytes = NULL }, again = { .bytes = NULL };
    const uint8_t *bytes;
    struct pm_frame frame;
    ssize_t n = 0;

    while (f->left && n >= 0) {
        size_t got = feed_bytes(f, 1 + feed_byte(f), &bytes);
        MUST(!pm_bytes_add(&q, bytes, got));
        while ((n = pm_frame_get(&q, from_proxy, &frame)) > 0) {
            MUST((size_t) n == PM_FRAME_HEAD + frame.len && frame.stream < PM_STREAMS);
            MUST(!pm_frame_put(&again, &frame));
            MUST(again.len == (size_t) n && !memcmp(again.bytes, q.bytes + q.head, again.len));
            pm_bytes_take(&again, again.len);
            structures(frame.bytes, frame.len);
            pm_bytes_take(&q, (size_t) n);
        }
    }
    pm_bytes_free(&q);
    pm_bytes_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };

    switch (feed_byte(&f) % 3) {
    case 0:
        frames(&f, true);
        break;
    case 1:
        frames(&f, false);
        break;
    default:
        structures((const char *) f.at, f.left);
    }
    return 0;
}
