/* pmi_server.c — ranks that send any bytes to the PMI server: blocks of rank, length and bytes. */
#include "fuzz.h"
#include "pm_server.h"

enum { SIZE = 3 };

static void reply(void *owner, int rank, const char *bytes, size_t len)
{
    (void) owner;
    MUST(rank >= 0 && rank < SIZE && len > 0);
    MUST(memchr(bytes, '\n', len) == bytes + len - 1); /* one line, whatever was asked */
}

static void share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    MUST(memory >= 0);
    reply(owner, rank, line, strlen(line));
    reply(owner, rank, otherwise, strlen(otherwise));
}

static void forget(void *owner, int memory)
{
    (void) owner;
    MUST(memory >= 0);
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
    const struct pm_events events = { NULL, reply, share, forget, ends, says, says };
    struct pm_server *s = pm_server_create(-1);
    struct pm_server_job *j = s ? pm_server_add_job(s, &config, &events) : NULL;
    struct feed f = { data, len };
    const uint8_t *bytes;

    MUST(j);
    while (f.left) {
        uint8_t rank = feed_byte(&f), n = feed_byte(&f);
        size_t got = feed_bytes(&f, n == 255 ? 70000 : n, &bytes);
        if (rank >= 250)
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
