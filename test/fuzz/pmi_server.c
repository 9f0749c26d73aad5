/* pmi_server.c — ranks that send any bytes to the PMI server: blocks of rank, length and bytes.
 * From FRAMED on, the bytes are sent as a body of PMI-2, behind their length. */
#include "fuzz.h"
#include "pm/pmi/pmi_calls.h"
#include "pm/server/pm_server.h"

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

static void serve(const uint8_t *data, size_t len, bool survives)
{
    static const int appnum[SIZE], node[SIZE] = { 0, 1, 1 };
    const struct pm_server_config config = { .size = SIZE,
                                             .appnum = appnum,
                                             .node = node,
                                             .name = "fuzz",
                                             .settings = "A=1\nB=2 3",
                                             .survives = survives };
    const struct pm_events events = {
        .send = reply, .share = share, .forget = forget, .abort = ends, .broken = says, .warn = says
    };
    struct pm_server *s = pm_server_create(-1);
    struct pm_server_job *j = s ? pm_server_add_job(s, &config, &events) : NULL;
    struct feed f = { data, len };
    const uint8_t *bytes;

    MUST(j);
    while (f.left) {
        uint8_t rank = feed_byte(&f), n = feed_byte(&f);
        size_t got = feed_bytes(&f, n == 255 ? 70000 : n, &bytes);
        char length[16];
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
