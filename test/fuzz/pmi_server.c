/* pmi_server.c — ranks that send any bytes to the PMI server: blocks of rank, length and bytes.
 * From FRAMED on, the bytes are sent as a body of PMI-2, behind their length. */
#include "fuzz.h"
#include "pm/pmi/pmi_calls.h"
#include "pm/pmi/pmi_spawn.h"
#include "pm/server/pm_server.h"
#include "pm/server/pm_spawn.h"

enum { SIZE = 3, FRAMED = 125, GONE = 250 };

/* The ';' that ends a value. Two of them are part of it. */
static const char *value_end(const char *at, const char *behind)
{
    while (at < behind && (*at != ';' || (at + 1 < behind && at[1] == ';')))
        at += *at == ';' ? 2 : 1;
    MUST(at < behind);
    return at;
}

/* One message, whatever was asked: a line, or a body of whole fields behind its length. */
static void reply(void *owner, int rank, const char *bytes, size_t len)
{
    char digits[7] = "", *end;

    (void) owner;
    MUST(rank >= 0 && rank < SIZE && len > 6);
    if (!memcmp(bytes, "cmd=", 4)) {
        MUST(memchr(bytes, '\n', len) == bytes + len - 1);
        return;
    }
    memcpy(digits, bytes, 6);
    MUST(strtoul(digits, &end, 10) == len - 6 && !*end);
    MUST(len > 10 && !memcmp(bytes + 6, "cmd=", 4));
    for (const char *at = bytes + 6, *behind = bytes + len; at < behind;) {
        const char *equals = memchr(at, '=', (size_t) (behind - at));
        MUST(equals && !memchr(at, ';', (size_t) (equals - at)));
        at = value_end(equals + 1, behind) + 1;
    }
}

static void share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    MUST(memory >= 0 || memory == PMI_CALLS);
    reply(owner, rank, line, strlen(line));
    reply(owner, rank, otherwise, strlen(otherwise));
}

static void forget(void *owner, int memory)
{
    (void) owner;
    MUST(memory >= 0 || memory == PMI_CALLS);
}

static void ends(void *owner, int rank, int code, const char *why)
{
    (void) owner, (void) code;
    MUST(rank >= 0 && rank < SIZE && why && !strpbrk(why, "\n\r"));
}

static void says(void *owner, int rank, const char *what)
{
    (void) owner;
    MUST(rank >= 0 && rank < SIZE && *what && !strpbrk(what, "\n\r\033"));
}

static struct {
    int rank, request; /* that has no answer yet; -1: none */
} spawn;

static void give_answer(struct pm_server_job *j)
{
    static const int codes[] = { 0, 7, 0 };
    const struct pm_spawn_result good = { .jobid = "fuzz-1", .error = codes, .errors = 3 };
    const struct pm_spawn_result bad = { .why = "no; \n %", .error = codes, .errors = 3 };

    if (spawn.rank >= 0)
        pm_server_spawned(j, spawn.rank, spawn.request, spawn.request % 3 ? &good : &bad);
    spawn.rank = -1;
}

static void on_spawn(void *owner, int rank, int request, const struct pm_spawn *s)
{
    struct pm_server_job **j = owner;

    MUST(rank >= 0 && rank < SIZE && request > 0 && s->programs > 0);
    for (size_t i = 0; i < s->programs; i++) {
        const struct pm_spawn_program *p = &s->program[i];
        MUST(p->maxprocs > 0 && p->maxprocs <= PM_SPAWN_PROCESSES && *p->argv[0]);
        for (char **word = p->argv; *word; word++)
            MUST(strlen(*word) < PMI_SPAWN_BYTES);
        for (size_t k = 0; k < p->infos; k++)
            MUST(strlen(p->info[k].key) + strlen(p->info[k].value) < PMI_SPAWN_BYTES);
    }
    for (char **variable = s->environ; variable && *variable; variable++)
        MUST(strchr(*variable, '=') > *variable && strlen(*variable) < PMI_SPAWN_BYTES);
    MUST(!s->cwd || strlen(s->cwd) < PMI_SPAWN_BYTES);
    for (size_t i = 0; i < s->preputs; i++)
        MUST(*s->preput[i].key && strlen(s->preput[i].value) < 1024);
    give_answer(*j);
    spawn.rank = rank;
    spawn.request = request;
    if (request % 2) /* the others wait for the next block */
        give_answer(*j);
}

static void on_verdict(void *owner, int rank, int request, bool kill)
{
    struct pm_server_job **j = owner;

    MUST(rank >= 0 && rank < SIZE && request > 0);
    if (!kill)
        pm_server_spawn_lost(*j, rank, request, "its; reason\n");
}

static void serve(const uint8_t *data, size_t len, bool survives)
{
    static const int appnum[SIZE], node[SIZE] = { 0, 1, 1 };
    const struct pm_server_config config = { .size = SIZE,
                                             .appnum = appnum,
                                             .node = node,
                                             .name = "fuzz",
                                             .settings = "A=1\nB=2 3",
                                             .survives = survives };
    struct pm_server_job *j = NULL;
    const struct pm_events events = { .owner = &j,
                                      .send = reply,
                                      .share = share,
                                      .forget = forget,
                                      .abort = ends,
                                      .broken = says,
                                      .warn = says,
                                      .spawn = on_spawn,
                                      .verdict = on_verdict };
    struct pm_server *s = pm_server_create(-1);
    j = s ? pm_server_add_job(s, &config, &events) : NULL;
    struct feed f = { data, len };
    const uint8_t *bytes;

    MUST(j);
    spawn.rank = -1;
    while (f.left) {
        uint8_t rank = feed_byte(&f), n = feed_byte(&f);
        size_t got = feed_bytes(&f, n == 255 ? 70000 : n, &bytes);
        char length[16];
        give_answer(j);
        int digits = snprintf(length, sizeof length, "%6zu", got);
        if (rank >= FRAMED && rank < GONE)
            pm_server_input(j, rank % SIZE, length, (size_t) digits);
        if (rank >= GONE)
            pm_server_gone(j, rank % SIZE);
        else
            pm_server_input(j, rank % SIZE, (const char *) bytes, got);
    }
    pm_server_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    serve(data, len, false);
    serve(data, len, true);
    return 0;
}
