/* serialize.c — structures and events of pm_node.h, jobs and notes of pm_hub.h, as bytes.
 *
 * One function for each structure both writes and reads it, so that a field is named once. All
 * numbers have 8 bytes, little endian. A text is its length with the NUL, then its bytes and the
 * NUL; the length is 0 for NULL. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/channel/pm_serialize.h"

enum { SINKS_MAX = 1 << 20, RANKS_MAX = 1 << 24 };

struct coder {
    struct pm_bytes *to; /* NULL: it reads */
    const char *from;    /* what is still to be read */
    size_t left;
    int err;
};

static void coder_fail(struct coder *c, int err)
{
    if (!c->err)
        c->err = err;
    c->left = 0;
}

static void code_number(struct coder *c, uint64_t *x)
{
    unsigned char bytes[8];

    if (c->to) {
        for (int i = 0; i < 8; i++)
            bytes[i] = (unsigned char) (*x >> 8 * i);
        if (pm_bytes_add(c->to, bytes, sizeof bytes))
            coder_fail(c, -ENOMEM);
        return;
    }
    *x = 0;
    if (c->left < sizeof bytes) {
        coder_fail(c, -EBADMSG);
        return;
    }
    for (int i = 7; i >= 0; i--)
        *x = *x << 8 | (unsigned char) c->from[i];
    c->from += sizeof bytes;
    c->left -= sizeof bytes;
}

/* A number that is wrong when it is read as less than min or more than max. */
static void code_int(struct coder *c, int *x, int min, int max)
{
    uint64_t wide = (uint64_t) (int64_t) *x;

    code_number(c, &wide);
    int64_t value = (int64_t) wide;
    if (value < min || value > max) {
        coder_fail(c, -EBADMSG);
        value = min;
    }
    *x = (int) value;
}

static void code_size(struct coder *c, size_t *x)
{
    uint64_t wide = *x;

    code_number(c, &wide);
    *x = (size_t) wide;
}

static void code_bool(struct coder *c, bool *x)
{
    int value = *x;

    code_int(c, &value, 0, 1);
    *x = value;
}

static void code_text(struct coder *c, const char **text)
{
    size_t len = c->to && *text ? strlen(*text) + 1 : 0;

    code_size(c, &len);
    if (c->to) {
        if (pm_bytes_add(c->to, *text, len))
            coder_fail(c, -ENOMEM);
        return;
    }
    *text = NULL;
    if (c->err || !len)
        return;
    if (len > c->left || memchr(c->from, '\0', len) != c->from + len - 1) {
        coder_fail(c, -EBADMSG);
        return;
    }
    *text = c->from;
    c->from += len;
    c->left -= len;
}

/* A list of texts that ends in NULL. What is read is an array to free. */
static void code_texts(struct coder *c, char *const **list)
{
    size_t n = 0;

    while (c->to && (*list)[n])
        n++;
    code_size(c, &n);
    if (c->to) {
        for (size_t i = 0; i < n; i++) {
            const char *text = (*list)[i];
            code_text(c, &text);
        }
        return;
    }
    const char **texts = NULL;
    if (n > c->left / 8) /* each has 8 bytes at least */
        coder_fail(c, -EBADMSG);
    else if (!(texts = calloc(n + 1, sizeof *texts)))
        coder_fail(c, -ENOMEM);
    for (size_t i = 0; i < n && texts; i++) {
        code_text(c, &texts[i]);
        if (!texts[i])
            coder_fail(c, -EBADMSG);
    }
    *list = (char *const *) texts;
}

static void code_executable(struct coder *c, struct pm_executable *x)
{
    code_texts(c, &x->argv);
    code_text(c, &x->arch);
    code_text(c, &x->wdir);
    code_text(c, &x->path);
    code_texts(c, &x->environ);
    code_bool(c, &x->login);
    if (!c->err && !x->argv[0])
        coder_fail(c, -EBADMSG);
}

static void code_plan(struct coder *c, struct pm_plan *plan)
{
    code_int(c, &plan->processes, 0, INT32_MAX);
    code_size(c, &plan->files_of_owner);
    code_bool(c, &plan->topology);
    code_int(c, &plan->leftovers_ms, 0, INT32_MAX);
    code_size(c, &plan->executables);
}

static void code_start(struct coder *c, struct pm_start *s)
{
    int input = (int) s->input;

    code_int(c, &s->rank, 0, INT32_MAX);
    code_int(c, &s->local_rank, 0, INT32_MAX);
    code_int(c, &s->local_size, 0, INT32_MAX);
    code_size(c, &s->executable);
    for (int i = 0; i < PM_STREAMS; i++) {
        int hold = (int) s->hold[i];
        code_int(c, &s->sink[i], PM_NO_SINK, SINKS_MAX);
        code_int(c, &hold, PM_HOLD_NOTHING, PM_HOLD_PROMPTS);
        s->hold[i] = (enum pm_hold) hold;
    }
    code_bool(c, &s->pty);
    code_int(c, &input, PM_INPUT_NONE, PM_INPUT_FORWARDED);
    s->input = (enum pm_input_kind) input;
    code_text(c, &s->cpus);
}

static void code_refusal(struct coder *c, struct pm_refusal *why)
{
    int what = (int) why->what;

    code_int(c, &what, PM_NO_PROGRAM, PM_NO_RESOURCE);
    why->what = what;
    code_int(c, &why->err, INT32_MIN, 0);
    code_size(c, &why->executable);
    code_number(c, &why->files);
    code_number(c, &why->limit);
}

/* 0 when all bytes have been read. */
static int coder_end(struct coder *c)
{
    if (c->left)
        coder_fail(c, -EBADMSG);
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
    struct coder c = { .to = q };
    struct pm_plan head = *plan;

    code_plan(&c, &head);
    for (size_t i = 0; i < plan->executables; i++) {
        struct pm_executable x = plan->executable[i];
        code_executable(&c, &x);
    }
    return c.err;
}

static void decode_executables(struct coder *c, struct decoded_plan *d)
{
    size_t n = d->plan.executables;

    if (c->err || n > c->left / 8) { /* each has 8 bytes at least */
        coder_fail(c, -EBADMSG);
        n = 0;
    }
    d->plan.executables = 0;
    d->plan.executable = d->executable = calloc(n + 1, sizeof *d->executable);
    if (!d->executable)
        coder_fail(c, -ENOMEM);
    for (size_t i = 0; i < n && !c->err; i++) {
        code_executable(c, &d->executable[i]);
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
    struct coder c = { .from = copy, .left = len };
    code_plan(&c, &d->plan);
    decode_executables(&c, d);
    if (!coder_end(&c))
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
    struct coder c = { .to = q };

    code_texts(&c, &words);
    return c.err;
}

char *const *pm_decode_words(const char *bytes, size_t len)
{
    struct coder c = { .from = bytes, .left = len };
    char *const *words = NULL;

    code_texts(&c, &words);
    if (!coder_end(&c))
        return words;
    free((void *) (uintptr_t) words);
    errno = -c.err;
    return NULL;
}

int pm_encode_start(struct pm_bytes *q, const struct pm_start *start)
{
    struct coder c = { .to = q };
    struct pm_start s = *start;

    code_start(&c, &s);
    return c.err;
}

int pm_decode_start(const char *bytes, size_t len, struct pm_start *start)
{
    struct coder c = { .from = bytes, .left = len };

    *start = (struct pm_start) { .rank = 0 };
    code_start(&c, start);
    return coder_end(&c);
}

int pm_encode_ready(struct pm_bytes *q, const char *host, const char *topology)
{
    struct coder c = { .to = q };

    code_text(&c, &host);
    code_text(&c, &topology);
    return c.err;
}

int pm_decode_ready(const char *bytes, size_t len, const char **host, const char **topology)
{
    struct coder c = { .from = bytes, .left = len };

    code_text(&c, host);
    code_text(&c, topology);
    if (!*host)
        coder_fail(&c, -EBADMSG);
    return coder_end(&c);
}

int pm_encode_refusal(struct pm_bytes *q, const struct pm_refusal *why)
{
    struct coder c = { .to = q };
    struct pm_refusal w = *why;

    code_refusal(&c, &w);
    return c.err;
}

int pm_decode_refusal(const char *bytes, size_t len, struct pm_refusal *why)
{
    struct coder c = { .from = bytes, .left = len };

    *why = (struct pm_refusal) { .err = 0 };
    code_refusal(&c, why);
    return coder_end(&c);
}

/* ---- jobs and notes -------------------------------------------------------------------------- */

/* Numbers from 0 to max. What is read is an array to free. */
static void code_ints(struct coder *c, const int **list, size_t n, int max)
{
    int *ints = NULL;

    if (!c->to) {
        if (c->err || n > c->left / 8) /* each has 8 bytes */
            coder_fail(c, -EBADMSG);
        else if (!(ints = calloc(n + 1, sizeof *ints)))
            coder_fail(c, -ENOMEM);
    }
    for (size_t i = 0; i < n && !c->err; i++) {
        int x = c->to ? (*list)[i] : 0;
        code_int(c, &x, 0, max);
        if (ints)
            ints[i] = x;
    }
    if (!c->to)
        *list = ints;
}

static void code_job(struct coder *c, struct pm_server_config *s, int *universe,
                     char *const **programs)
{
    code_text(c, &s->name);
    code_text(c, &s->settings);
    code_int(c, universe, -1, INT32_MAX);
    code_int(c, &s->here, 0, RANKS_MAX);
    code_int(c, &s->size, 1, RANKS_MAX);
    code_bool(c, &s->survives);
    code_texts(c, programs);
    code_ints(c, &s->appnum, (size_t) s->size, RANKS_MAX);
    code_ints(c, &s->node, (size_t) s->size, RANKS_MAX);
}

int pm_encode_job(struct pm_bytes *q, const struct pm_server_config *config, int universe)
{
    struct coder c = { .to = q };
    struct pm_server_config s = *config;
    char *const *programs = (char *const *) config->programs;

    code_job(&c, &s, &universe, &programs);
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
    struct coder c = { .from = bytes, .left = len };
    char *const *programs = NULL;

    *config = (struct pm_server_config) { .size = 0 };
    *universe = -1;
    code_job(&c, config, universe, &programs);
    config->programs = (const char *const *) programs;
    if (!coder_end(&c) && (!config->name || !has_programs(config)))
        coder_fail(&c, -EBADMSG);
    if (c.err)
        pm_decoded_job_free(config);
    return c.err;
}

void pm_decoded_job_free(struct pm_server_config *config)
{
    free((void *) (uintptr_t) config->programs);
    free((void *) (uintptr_t) config->appnum);
    free((void *) (uintptr_t) config->node);
}

static void code_note(struct coder *c, struct pm_note *note)
{
    int kind = (int) note->kind;

    code_int(c, &kind, PM_NOTE_JOINED, PM_NOTE_KINDS - 1);
    note->kind = (enum pm_note_kind) kind;
    code_int(c, &note->generation, 0, INT32_MAX);
    code_int(c, &note->rank, 0, INT32_MAX);
    code_int(c, &note->value, INT32_MIN, INT32_MAX);
}

int pm_encode_note(struct pm_bytes *q, const struct pm_note *note)
{
    struct coder c = { .to = q };
    struct pm_note n = *note;

    code_note(&c, &n);
    if (!c.err && note->len && pm_bytes_add(q, note->bytes, note->len))
        coder_fail(&c, -ENOMEM);
    return c.err;
}

int pm_decode_note(const char *bytes, size_t len, struct pm_note *note)
{
    struct coder c = { .from = bytes, .left = len };

    *note = (struct pm_note) { .bytes = NULL };
    code_note(&c, note);
    note->bytes = c.from;
    note->len = c.left;
    return c.err;
}
