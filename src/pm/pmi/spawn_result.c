/* spawn_result.c — the lines in which a launcher tells the result of a spawn: what request.c calls,
 * while spawn.c calls that. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmi_spawn.h"

void pmi_spawn_forget(const struct pmi_spawn *s)
{
    struct pmi_spawn **at = &pmi_client.spawns;

    if (pmi_client.asked == s)
        pmi_client.asked = NULL;
    while (*at && *at != s)
        at = &(*at)->next;
    if (*at)
        *at = s->next;
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
    size_t len;
    const char *msg = pmi_line_field(line, "msg", &len);

    if (!msg || pmi_percent_decode(msg, len, s->why, sizeof s->why) < 0)
        (void) snprintf(s->why, sizeof s->why, "%.*s", msg ? (int) len : 100,
                        msg ? msg : "it gave no reason");
}

/* Whether the launcher has refused a value of the request: see pmi_spawn.h. */
static bool is_refused(const struct pmi_spawn *s)
{
    int i = 0;

    while (i < s->processes && s->code[i] == EINVAL)
        i++;
    return pmi_client.starling && i == s->processes;
}

static void spawn_end(struct pmi_spawn *s, const char *line)
{
    size_t len;
    const char *codes = pmi_line_field(line, "errcodes", &len);

    s->over = true;
    bool has_codes = codes && !read_codes(s, codes, len);
    if (pmi_rc(line)) {
        s->err = has_codes && is_refused(s) ? -EINVAL : -ECANCELED;
        read_reason(s, line);
    } else if (codes && !has_codes) {
        s->err = -EPROTO;
        (void) snprintf(s->why, sizeof s->why, "it gave no error code for each of them");
    }
    if (!s->abandoned)
        return;
    pmi_spawn_forget(s);
    free(s);
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

static struct pmi_spawn *spawn_of(int number)
{
    struct pmi_spawn *s = pmi_client.spawns;

    while (s && s->number != number)
        s = s->next;
    return s;
}

static int take_done(const char *line)
{
    int number, has_none = pmi_line_int(line, "spawn", &number);
    struct pmi_spawn *s = has_none ? NULL : spawn_of(number);

    if (!s || s->over)
        return -EPROTO;
    spawn_end(s, line);
    return 1;
}

/* The line may come when the spawn has been finished. */
static int take_lost(const char *line)
{
    int number, has_none = pmi_line_int(line, "spawn", &number);
    struct pmi_spawn *s = has_none ? NULL : spawn_of(number);

    if (has_none || number < 1 || number > pmi_client.spawned || (s && !s->over))
        return -EPROTO;
    if (s && !s->lost && !s->err) {
        s->lost = true;
        read_reason(s, line);
    }
    return 1;
}

int pmi_spawn_line(const char *line)
{
    if (pmi_client.asked && pmi_line_is(line, "spawn_result"))
        return take_answer(line);
    if (pmi_line_is(line, PMI_SPAWN_DONE))
        return take_done(line);
    return pmi_line_is(line, PMI_SPAWN_LOST) ? take_lost(line) : 0;
}
