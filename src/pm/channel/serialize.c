/* serialize.c — structures and events of pm_node.h, jobs and notes of pm_hub.h, as bytes.
 *
 * One function for each structure both writes and reads it, so that a field is named once. All
 * numbers have 8 bytes, little endian. A text is its length with the NUL, then its bytes and the
 * NUL; the length is 0 for NULL. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/channel/pm_serialize.h"

enum { SINKS_MAX = 1 << 20, RANKS_MAX = 1 << 24, PROCESSES_MAX = 1 << 24 };

struct serializer {
    struct pm_bytes *to; /* NULL: it reads */
    const char *from;    /* what is still to be read */
    size_t left;
    int err;
};

static void serializer_fail(struct serializer *c, int err)
{
    if (!c->err)
        c->err = err;
    c->left = 0;
}

static void serialize_number(struct serializer *c, uint64_t *x)
{
    unsigned char bytes[8];

    if (c->to) {
        for (int i = 0; i < 8; i++)
            bytes[i] = (unsigned char) (*x >> 8 * i);
        if (pm_bytes_add(c->to, bytes, sizeof bytes))
            serializer_fail(c, -ENOMEM);
        return;
    }
    *x = 0;
    if (c->left < sizeof bytes) {
        serializer_fail(c, -EBADMSG);
        return;
    }
    for (int i = 7; i >= 0; i--)
        *x = *x << 8 | (unsigned char) c->from[i];
    c->from += sizeof bytes;
    c->left -= sizeof bytes;
}

/* A number that is wrong when it is read as less than min or more than max. */
static void serialize_int(struct serializer *c, int *x, int min, int max)
{
    uint64_t wide = (uint64_t) (int64_t) *x;

    serialize_number(c, &wide);
    int64_t value = (int64_t) wide;
    if (value < min || value > max) {
        serializer_fail(c, -EBADMSG);
        value = min;
    }
    *x = (int) value;
}

static void serialize_size(struct serializer *c, size_t *x)
{
    uint64_t wide = *x;

    serialize_number(c, &wide);
    *x = (size_t) wide;
}

static void serialize_bool(struct serializer *c, bool *x)
{
    int value = *x;

    serialize_int(c, &value, 0, 1);
    *x = value;
}

static void serialize_text(struct serializer *c, const char **text)
{
    size_t len = c->to && *text ? strlen(*text) + 1 : 0;

    serialize_size(c, &len);
    if (c->to) {
        if (pm_bytes_add(c->to, *text, len))
            serializer_fail(c, -ENOMEM);
        return;
    }
    *text = NULL;
    if (c->err || !len)
        return;
    if (len > c->left || memchr(c->from, '\0', len) != c->from + len - 1) {
        serializer_fail(c, -EBADMSG);
        return;
    }
    *text = c->from;
    c->from += len;
    c->left -= len;
}

/* A list of texts that ends in NULL. What is read is an array to free. */
static void serialize_texts(struct serializer *c, char *const **list)
{
    size_t n = 0;

    while (c->to && (*list)[n])
        n++;
    serialize_size(c, &n);
    if (c->to) {
        for (size_t i = 0; i < n; i++) {
            const char *text = (*list)[i];
            serialize_text(c, &text);
        }
        return;
    }
    const char **texts = NULL;
    if (n > c->left / 8) /* each has 8 bytes at least */
        serializer_fail(c, -EBADMSG);
    else if (!(texts = calloc(n + 1, sizeof *texts)))
        serializer_fail(c, -ENOMEM);
    for (size_t i = 0; i < n && texts; i++) {
        serialize_text(c, &texts[i]);
        if (!texts[i])
            serializer_fail(c, -EBADMSG);
    }
    *list = (char *const *) texts;
}

static void serialize_executable(struct serializer *c, struct pm_executable *x)
{
    serialize_texts(c, &x->argv);
    serialize_text(c, &x->arch);
    serialize_text(c, &x->wdir);
    serialize_bool(c, &x->wdir_may_miss);
    serialize_text(c, &x->path);
    serialize_bool(c, &x->path_first);
    serialize_texts(c, &x->environ);
    serialize_bool(c, &x->login);
    if (!c->err && !x->argv[0])
        serializer_fail(c, -EBADMSG);
}

static void serialize_plan(struct serializer *c, struct pm_plan *plan)
{
    serialize_int(c, &plan->job, 0, INT32_MAX);
    serialize_int(c, &plan->processes, 0, INT32_MAX);
    serialize_size(c, &plan->files_of_owner);
    serialize_bool(c, &plan->topology);
    serialize_int(c, &plan->leftovers_ms, 0, INT32_MAX);
    serialize_size(c, &plan->executables);
}

static void serialize_start(struct serializer *c, struct pm_start *s)
{
    int input = (int) s->input;

    serialize_int(c, &s->process, 0, PROCESSES_MAX);
    serialize_int(c, &s->job, 0, INT32_MAX);
    serialize_int(c, &s->rank, 0, INT32_MAX);
    serialize_int(c, &s->local_rank, 0, INT32_MAX);
    serialize_int(c, &s->local_size, 0, INT32_MAX);
    serialize_size(c, &s->executable);
    for (int i = 0; i < PM_STREAMS; i++) {
        int hold = (int) s->hold[i];
        serialize_int(c, &s->sink[i], PM_NO_SINK, SINKS_MAX);
        serialize_int(c, &hold, PM_HOLD_NOTHING, PM_HOLD_PROMPTS);
        s->hold[i] = (enum pm_hold) hold;
    }
    serialize_bool(c, &s->pty);
    serialize_int(c, &input, PM_INPUT_NONE, PM_INPUT_FORWARDED);
    s->input = (enum pm_input_kind) input;
    serialize_text(c, &s->cpus);
}

static void serialize_refusal(struct serializer *c, struct pm_refusal *why)
{
    int what = (int) why->what;

    serialize_int(c, &what, PM_NO_PROGRAM, PM_NO_RESOURCE);
    why->what = what;
    serialize_int(c, &why->err, INT32_MIN, 0);
    serialize_size(c, &why->executable);
    serialize_number(c, &why->files);
    serialize_number(c, &why->limit);
}

/* 0 when all bytes have been read. */
static int serializer_end(struct serializer *c)
{
    if (c->left)
        serializer_fail(c, -EBADMSG);
    return c->err;
}

/* ---- plans ----------------------------------------------------------------------------------- */

struct decoded_plan {
    struct pm_plan plan;
    struct pm_executable *executable;
    char *bytes; /* that the texts are in */
};

int pm_encode_plan(struct pm_bytes *q, const struct pm_plan *plan)
{
    struct serializer c = { .to = q };
    struct pm_plan head = *plan;

    serialize_plan(&c, &head);
    for (size_t i = 0; i < plan->executables; i++) {
        struct pm_executable x = plan->executable[i];
        serialize_executable(&c, &x);
    }
    return c.err;
}

static void decode_executables(struct serializer *c, struct decoded_plan *d)
{
    size_t n = d->plan.executables;

    if (c->err || n > c->left / 8) { /* each has 8 bytes at least */
        serializer_fail(c, -EBADMSG);
        n = 0;
    }
    d->plan.executables = 0;
    d->plan.executable = d->executable = calloc(n + 1, sizeof *d->executable);
    if (!d->executable)
        serializer_fail(c, -ENOMEM);
    for (size_t i = 0; i < n && !c->err; i++) {
        serialize_executable(c, &d->executable[i]);
        d->plan.executables++;
    }
}

struct pm_plan *pm_decode_plan(const char *bytes, size_t len)
{
    struct decoded_plan *d = calloc(1, sizeof *d);
    char *copy = d ? malloc(len + 1) : NULL;

    if (!copy) {
        free(d);
        errno = ENOMEM;
        return NULL;
    }
    if (len)
        memcpy(copy, bytes, len);
    d->bytes = copy;
    struct serializer c = { .from = copy, .left = len };
    serialize_plan(&c, &d->plan);
    decode_executables(&c, d);
    if (!serializer_end(&c))
        return &d->plan;
    pm_decoded_plan_free(&d->plan);
    errno = -c.err;
    return NULL;
}

void pm_decoded_plan_free(struct pm_plan *plan)
{
    struct decoded_plan *d = (struct decoded_plan *) (void *) plan;

    for (size_t i = 0; i < plan->executables; i++) {
        free((void *) (uintptr_t) plan->executable[i].argv);
        free((void *) (uintptr_t) plan->executable[i].environ);
    }
    free(d->executable);
    free(d->bytes);
    free(d);
}

/* ---- starts and answers ---------------------------------------------------------------------- */

int pm_encode_words(struct pm_bytes *q, char *const *words)
{
    struct serializer c = { .to = q };

    serialize_texts(&c, &words);
    return c.err;
}

char *const *pm_decode_words(const char *bytes, size_t len)
{
    struct serializer c = { .from = bytes, .left = len };
    char *const *words = NULL;

    serialize_texts(&c, &words);
    if (!serializer_end(&c))
        return words;
    free((void *) (uintptr_t) words);
    errno = -c.err;
    return NULL;
}

int pm_encode_start(struct pm_bytes *q, const struct pm_start *start)
{
    struct serializer c = { .to = q };
    struct pm_start s = *start;

    serialize_start(&c, &s);
    return c.err;
}

int pm_decode_start(const char *bytes, size_t len, struct pm_start *start)
{
    struct serializer c = { .from = bytes, .left = len };

    *start = (struct pm_start) { .rank = 0 };
    serialize_start(&c, start);
    return serializer_end(&c);
}

int pm_encode_ready(struct pm_bytes *q, const char *host, const char *topology)
{
    struct serializer c = { .to = q };

    serialize_text(&c, &host);
    serialize_text(&c, &topology);
    return c.err;
}

int pm_decode_ready(const char *bytes, size_t len, const char **host, const char **topology)
{
    struct serializer c = { .from = bytes, .left = len };

    serialize_text(&c, host);
    serialize_text(&c, topology);
    if (!*host)
        serializer_fail(&c, -EBADMSG);
    return serializer_end(&c);
}

int pm_encode_refusal(struct pm_bytes *q, const struct pm_refusal *why)
{
    struct serializer c = { .to = q };
    struct pm_refusal w = *why;

    serialize_refusal(&c, &w);
    return c.err;
}

int pm_decode_refusal(const char *bytes, size_t len, struct pm_refusal *why)
{
    struct serializer c = { .from = bytes, .left = len };

    *why = (struct pm_refusal) { .err = 0 };
    serialize_refusal(&c, why);
    return serializer_end(&c);
}

/* ---- jobs and notes -------------------------------------------------------------------------- */

/* Numbers from 0 to max. What is read is an array to free. */
static void serialize_ints(struct serializer *c, const int **list, size_t n, int max)
{
    int *ints = NULL;

    if (!c->to) {
        if (c->err || n > c->left / 8) /* each has 8 bytes */
            serializer_fail(c, -EBADMSG);
        else if (!(ints = calloc(n + 1, sizeof *ints)))
            serializer_fail(c, -ENOMEM);
    }
    for (size_t i = 0; i < n && !c->err; i++) {
        int x = c->to ? (*list)[i] : 0;
        serialize_int(c, &x, 0, max);
        if (ints)
            ints[i] = x;
    }
    if (!c->to)
        *list = ints;
}

static void serialize_job(struct serializer *c, struct pm_server_config *s, int *universe,
                          char *const **programs)
{
    bool says = s->said;

    serialize_text(c, &s->name);
    serialize_text(c, &s->settings);
    serialize_text(c, &s->spawner);
    serialize_int(c, universe, -1, INT32_MAX);
    serialize_int(c, &s->here, 0, RANKS_MAX);
    serialize_int(c, &s->size, 1, RANKS_MAX);
    serialize_bool(c, &s->survives);
    serialize_texts(c, programs);
    serialize_ints(c, &s->appnum, (size_t) s->size, RANKS_MAX);
    serialize_ints(c, &s->node, (size_t) s->size, RANKS_MAX);
    serialize_bool(c, &says);
    if (says)
        serialize_ints(c, &s->said, (size_t) s->size, INT32_MAX);
}

int pm_encode_job(struct pm_bytes *q, const struct pm_server_config *config, int universe)
{
    struct serializer c = { .to = q };
    struct pm_server_config s = *config;
    char *const *programs = (char *const *) config->programs;

    serialize_job(&c, &s, &universe, &programs);
    return c.err;
}

/* Whether each rank is of a program that has been read. */
static bool has_programs(const struct pm_server_config *s)
{
    int n = 0;

    while (s->programs[n])
        n++;
    for (int i = 0; i < s->size; i++)
        if (s->appnum[i] >= n)
            return false;
    return true;
}

int pm_decode_job(const char *bytes, size_t len, struct pm_server_config *config, int *universe)
{
    struct serializer c = { .from = bytes, .left = len };
    char *const *programs = NULL;

    *config = (struct pm_server_config) { .size = 0 };
    *universe = -1;
    serialize_job(&c, config, universe, &programs);
    config->programs = (const char *const *) programs;
    if (!serializer_end(&c) && (!config->name || !has_programs(config)))
        serializer_fail(&c, -EBADMSG);
    if (c.err)
        pm_decoded_job_free(config);
    return c.err;
}

void pm_decoded_job_free(struct pm_server_config *config)
{
    free((void *) (uintptr_t) config->programs);
    free((void *) (uintptr_t) config->appnum);
    free((void *) (uintptr_t) config->said);
    free((void *) (uintptr_t) config->node);
}

static void serialize_note(struct serializer *c, struct pm_note *note)
{
    int kind = (int) note->kind;

    serialize_int(c, &kind, PM_NOTE_JOINED, PM_NOTE_KINDS - 1);
    note->kind = (enum pm_note_kind) kind;
    serialize_int(c, &note->generation, 0, INT32_MAX);
    serialize_int(c, &note->rank, 0, INT32_MAX);
    serialize_int(c, &note->value, INT32_MIN, INT32_MAX);
}

int pm_encode_note(struct pm_bytes *q, const struct pm_note *note)
{
    struct serializer c = { .to = q };
    struct pm_note n = *note;

    serialize_note(&c, &n);
    if (!c.err && note->len && pm_bytes_add(q, note->bytes, note->len))
        serializer_fail(&c, -ENOMEM);
    return c.err;
}

int pm_decode_note(const char *bytes, size_t len, struct pm_note *note)
{
    struct serializer c = { .from = bytes, .left = len };

    *note = (struct pm_note) { .bytes = NULL };
    serialize_note(&c, note);
    note->bytes = c.from;
    note->len = c.left;
    return c.err;
}
