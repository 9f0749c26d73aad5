/* spawn_result.c — the lines in which a launcher tells the result of a spawn: what request.c calls,
 * while spawn.c calls that. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmi_spawn.h"

static void spawn_fail(struct pmi_spawn *s, int err, const char *why)
{
    s->err = err;
    (void) snprintf(s->why, sizeof s->why, "%s", why);
}

/* Reads "0,0,1": a code for each process. */
static int read_codes(struct pmi_spawn *s, const char *text, size_t len)
{
    int n = 0;

    for (const char *end = text + len; text <= end; n++) {
        const char *comma = memchr(text, ',', (size_t) (end - text));
        size_t width = (size_t) ((comma ? comma : end) - text);
        if (n == s->processes || pmi_parse_int(text, width, &s->code[n]))
            return -EPROTO;
        text += width + 1;
    }
    return n == s->processes ? 0 : -EPROTO;
}

/* The reason in a line, which may be percent-encoded. */
static void read_reason(struct pmi_spawn *s, const char *line)
{
    char why[sizeof s->why];
    size_t len;
    const char *msg = pmi_line_field(line, "msg", &len);

    if (!msg || pmi_percent_decode(msg, len, why, sizeof why) < 0)
        (void) snprintf(why, sizeof why, "%.*s", msg ? (int) len : 100,
                        msg ? msg : "it gave no reason");
    spawn_fail(s, -ECANCELED, why);
}

static void spawn_end(struct pmi_spawn *s, const char *line)
{
    size_t len;
    const char *codes = pmi_line_field(line, "errcodes", &len);

    s->over = true;
    if (pmi_rc(line))
        read_reason(s, line);
    else if (codes && read_codes(s, codes, len))
        spawn_fail(s, -EPROTO, "it gave no error code for each of them");
}

/* The answer to the request: a number, or all. */
static int take_answer(const char *line)
{
    struct pmi_client *c = &pmi_client;
    struct pmi_spawn *s = c->asked;
    int number, has_none = pmi_line_int(line, "spawn", &number);

    c->asked = NULL;
    if (has_none == -ENOENT || pmi_rc(line)) {
        spawn_end(s, line);
        return 1;
    }
    if (has_none || number != c->spawned + 1)
        return -EPROTO;
    s->number = c->spawned = number;
    s->next = c->spawns;
    c->spawns = s;
    return 1;
}

static int take_done(const char *line)
{
    struct pmi_spawn **at = &pmi_client.spawns;
    int number;

    if (pmi_line_int(line, "spawn", &number))
        return -EPROTO;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at)
        return -EPROTO;
    struct pmi_spawn *s = *at;
    *at = s->next;
    spawn_end(s, line);
    return 1;
}

int pmi_spawn_line(const char *line)
{
    if (pmi_client.asked && pmi_line_is(line, "spawn_result"))
        return take_answer(line);
    return pmi_line_is(line, PMI_SPAWN_DONE) ? take_done(line) : 0;
}
