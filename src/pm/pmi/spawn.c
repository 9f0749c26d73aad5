/* spawn.c — asks the launcher to start processes.
 *
 * A request is a block of lines for each program, and for Starling's mpiexec also what the programs
 * inherit of this process. That answers at once, by a number, and the result follows in a line of
 * its own, which may come before the replies to later requests. Other launchers know nothing of
 * `starling_later` and answer when the processes have been started: so long no other request is
 * sent. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmi_spawn.h"
#include "pm/pmi/pmix_impl.h"

/* ---- the request ----------------------------------------------------------------------------- */

struct text { /* grows; bytes is NULL after an error */
    char *bytes;
    size_t len;
    size_t raw; /* bytes of its texts as the launcher keeps them */
};

enum { PIECE = 8192 }; /* of a value, before it is encoded */

static void text_line(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void text_line(struct text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *more = t->bytes && n >= 0 ? realloc(t->bytes, t->len + (size_t) n + 2) : NULL;
    if (!more) {
        free(t->bytes);
        t->bytes = NULL;
        return;
    }
    va_start(args, fmt);
    (void) vsnprintf(more + t->len, (size_t) n + 1, fmt, args);
    va_end(args);
    t->bytes = more;
    t->len += (size_t) n;
    t->bytes[t->len++] = '\n';
    t->raw += (size_t) n + 1;
}

/* A value of any bytes, which servers that know PMI_SPAWN_ENCODED get in pieces. */
static void text_value(struct text *t, const char *name, const char *value)
{
    char piece[PIECE + 1], encoded[3 * PIECE + 1];
    size_t raw = t->raw + strlen(name) + 1 + strlen(value) + 1;

    if (!pmi_client.starling) {
        text_line(t, "%s=%s", name, value);
        return;
    }
    do {
        size_t n = strnlen(value, PIECE);
        memcpy(piece, value, n);
        piece[n] = '\0';
        (void) pmi_percent_encode(piece, encoded, sizeof encoded);
        text_line(t, "%s=%s", name, encoded);
        name = PMI_SPAWN_MORE;
        value += n;
    } while (*value);
    t->raw = raw;
}

static void text_numbered(struct text *t, const char *name, int number, const char *value)
{
    char numbered[48];

    (void) snprintf(numbered, sizeof numbered, "%s%d", name, number);
    text_value(t, numbered, value);
}

static void text_pairs(struct text *t, const char *what, const struct pmi_pair *pair, int n)
{
    char key[24], value[24];

    (void) snprintf(key, sizeof key, "%s_key_", what);
    (void) snprintf(value, sizeof value, "%s_val_", what);
    text_line(t, "%s_num=%d", what, n);
    for (int i = 0; i < n; i++) {
        text_numbered(t, key, i, pair[i].key);
        text_numbered(t, value, i, pair[i].value);
    }
}

/* What a program inherits: the directory and the environment of this process. */
static void text_surroundings(struct text *t)
{
    char *cwd = get_current_dir_name();

    if (cwd)
        text_value(t, PMI_SPAWN_CWD, cwd);
    free(cwd);
    text_value(t, PMI_SPAWN_ENV, "");
    for (char **variable = environ; variable && *variable; variable++)
        text_value(t, PMI_SPAWN_ENV, *variable);
}

static void text_program(struct text *t, const struct pmi_spawn_request *r, int i)
{
    const struct pmi_spawn_program *p = &r->program[i];
    int args = 0;

    text_line(t, "mcmd=spawn");
    if (pmi_client.starling) { /* other servers may refuse an unknown line */
        text_line(t, PMI_SPAWN_ENCODED "=1");
        text_line(t, PMI_SPAWN_LATER "=1");
    }
    text_line(t, "nprocs=%d", p->count);
    text_value(t, "execname", p->command);
    text_line(t, "totspawns=%d", r->programs);
    text_line(t, "spawnssofar=%d", i + 1);
    for (; p->argv && p->argv[args]; args++)
        text_numbered(t, "arg", args + 1, p->argv[args]);
    text_line(t, "argcnt=%d", args);
    text_pairs(t, "preput", r->preput, r->preputs);
    text_pairs(t, "info", p->info, p->infos);
    if (pmi_client.starling && !i)
        text_surroundings(t);
    text_line(t, "endcmd");
}

/* PMI-1 has lines alone; PMIx and Starling's mpiexec take any text. */
static int check_line(const char *what, const char *text)
{
    if (pmi_client.starling || pmi_client.pmix)
        return 0;
    if (strchr(text, '\n'))
        return pmi_fail(-EINVAL, "%s '%.100s' has a newline, which PMI cannot carry", what, text);
    if (strlen(text) >= PMI_VALUE_LINE)
        return pmi_fail(-EMSGSIZE, "%s '%.100s...' has %zu bytes, and PMI carries %d", what, text,
                        strlen(text), PMI_VALUE_LINE - 1);
    return 0;
}

static int check_program(const struct pmi_spawn_program *p)
{
    int err = check_line("the command", p->command);

    if (!err && p->count < 1)
        err = pmi_fail(-EINVAL, "%d processes of '%.100s' cannot be started", p->count, p->command);
    for (char *const *arg = p->argv; !err && arg && *arg; arg++)
        err = check_line("the argument", *arg);
    for (int i = 0; i < p->infos && !err; i++) {
        err = check_line("the info key", p->info[i].key);
        if (!err)
            err = check_line("the info value", p->info[i].value);
    }
    return err;
}

static int check_request(const struct pmi_spawn_request *r, int *processes)
{
    int err = r->programs < 1 ? pmi_fail(-EINVAL, "a spawn of no program") : 0;

    *processes = 0;
    for (int i = 0; i < r->programs && !err; i++) {
        err = check_program(&r->program[i]);
        if (!err && r->program[i].count > PMI_SPAWN_MOST - *processes)
            err = pmi_fail(-EINVAL, "more than %d processes cannot be started at once",
                           PMI_SPAWN_MOST);
        *processes += r->program[i].count;
    }
    for (int i = 0; i < r->preputs && !err; i++)
        err = pmi_check_pair(r->preput[i].key, r->preput[i].value);
    return err;
}

static int send_request(const struct pmi_spawn_request *r, struct pmi_spawn *s)
{
    struct text t = { .bytes = malloc(1) };

    for (int i = 0; i < r->programs; i++)
        text_program(&t, r, i);
    int err = t.bytes ? 0 : pmi_fail(-ENOMEM, "no memory for a spawn");
    if (!err && pmi_client.starling && t.raw > PMI_SPAWN_BYTES)
        err = pmi_fail(-EMSGSIZE,
                       "the programs, arguments and environment of a spawn have %zu bytes, and "
                       "mpiexec takes %d",
                       t.raw, PMI_SPAWN_BYTES);
    if (!err)
        err = pmi_turn();
    if (!err)
        err = pmi_send(t.bytes, t.len);
    free(t.bytes);
    if (!err)
        pmi_client.asked = s;
    return err;
}

int pmi_spawn_start(const struct pmi_spawn_request *r, struct pmi_spawn **spawn)
{
    int processes, err = pmi_check_joined();

    *spawn = NULL;
    if (!err)
        err = check_request(r, &processes);
    if (err)
        return err;
    struct pmi_spawn *s = calloc(1, sizeof *s + (size_t) processes * sizeof *s->code);
    if (!s)
        return pmi_fail(-ENOMEM, "no memory for a spawn of %d processes", processes);
    s->processes = processes;
    err = pmi_client.pmix ? pmix_spawn_start(r, s) : send_request(r, s);
    if (err) {
        free(s);
        return err;
    }
    *spawn = s;
    return 0;
}

/* ---- the end ------------------------------------------------------------------------------- */

bool pmi_spawn_over(struct pmi_spawn *s)
{
    if (s->over || pmi_check_joined())
        return true;
    return (!pmi_client.pmix && pmi_look()) || s->over;
}

static void spawn_free(struct pmi_spawn *s)
{
    pmi_spawn_forget(s);
    if (pmi_client.pmix) {
        pmix_finished();
        pmix_spawn_free(s);
    }
    free(s);
}

/* Tells Starling's mpiexec how the probation of a job ends; it sends no answer. */
static int send_verdict(const struct pmi_spawn *s, const char *verdict)
{
    char line[64];

    if (!s->number || (s->over && s->err) || pmi_check_joined())
        return 0;
    return pmi_send(line,
                    (size_t) snprintf(line, sizeof line, "cmd=%s spawn=%d\n", verdict, s->number));
}

static int not_started(const struct pmi_spawn *s)
{
    return pmi_fail(s->err, "the launcher (%s) did not start processes: %s", pmi_client.launcher,
                    s->why);
}

/* An error when a launcher that does not choose how many has started less than all. */
static int check_whole(const struct pmi_spawn *s)
{
    int i = 0;

    while (i < s->processes && !s->code[i])
        i++;
    if (pmi_client.starling || i == s->processes)
        return 0;
    return pmi_fail(-ECANCELED, "the launcher (%s) did not start process %d of %d: its code is %d",
                    pmi_client.launcher, i, s->processes, s->code[i]);
}

int pmi_spawn_lost(struct pmi_spawn *s)
{
    if (!s->over)
        return pmi_check_joined();
    if (s->err)
        return not_started(s);
    if (s->number && !s->lost && !pmi_check_joined())
        (void) pmi_look();
    if (s->lost)
        return pmi_fail(-ECANCELED, "%s", s->why);
    return check_whole(s);
}

int pmi_spawn_finish(struct pmi_spawn *s, int *codes)
{
    int err = 0;

    while (!err && !pmi_spawn_over(s))
        err = pmi_wait();
    if (!s->over) {
        err = pmi_check_joined();
        if (pmi_client.pmix)
            return err; /* libpmix may still write to s */
    } else if (s->err) {
        err = not_started(s);
    } else {
        memcpy(codes, s->code, (size_t) s->processes * sizeof *codes);
        (void) send_verdict(s, PMI_SPAWN_CONNECTED); /* later requests find out when it fails */
    }
    spawn_free(s);
    return err;
}

/* The answer of Starling's mpiexec comes at once; those of other launchers may take long. */
void pmi_spawn_abandon(struct pmi_spawn *s)
{
    if (!pmi_client.pmix && !s->over && !s->number && pmi_client.starling)
        (void) pmi_turn();
    (void) send_verdict(s, PMI_SPAWN_ABANDON);
    if (s->over || (!pmi_client.pmix && pmi_check_joined()))
        spawn_free(s);
    else
        s->abandoned = true;
}

int pmi_preput(const char *key, char *value, size_t len)
{
    int err = pmi_check_joined();

    if (err)
        return err;
    if (pmi_client.pmix)
        return pmix_preput(key, value, len);
    if (!getenv("PMI_SPAWNED")) /* all launchers set it */
        return pmi_fail(-ENOENT, "no spawn has started this process");
    return pmi_get(0, key, value, len);
}
