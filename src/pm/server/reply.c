/* reply.c — replies to a rank, and events that it causes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

/* Writes a reply to server->out: its bytes. 0: it does not fit; no value that a rank may put makes
 * one that long. */
static size_t format_reply(struct pm_server *s, const char *fmt, va_list args)
{
    int len = vsnprintf(s->out, sizeof s->out, fmt, args);

    if (len < 0 || (size_t) len + 1 >= sizeof s->out)
        return 0;
    s->out[len++] = '\n';
    s->out[len] = '\0';
    return (size_t) len;
}

void pm_reply(struct pm_server_job *j, int rank, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    size_t len = format_reply(j->server, fmt, args);
    va_end(args);
    if (len)
        j->events.send(j->events.owner, rank, j->server->out, len);
}

void pm_reply_sharing(struct pm_server_job *j, int rank, int memory, const char *fmt, ...)
{
    const struct pm_events *e = &j->events;
    va_list args;

    va_start(args, fmt);
    size_t len = format_reply(j->server, fmt, args);
    va_end(args);
    if (len && e->share)
        e->share(e->owner, rank, memory, j->server->out, j->server->out);
    else if (len)
        e->send(e->owner, rank, j->server->out, len);
}

void pm_make_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

/* Drops warnings about a rank that has caused PM_WARNINGS_MAX of them. */
void pm_warn(struct pm_server_job *j, int rank, const char *fmt, ...)
{
    char text[256];
    va_list args;

    if (j->client[rank].warnings++ >= PM_WARNINGS_MAX)
        return;
    va_start(args, fmt);
    (void) vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    pm_make_printable(text);
    pm_raise_event(j, PM_NOTE_WARN, rank, 0, text);
}

void pm_abort(struct pm_server_job *j, int rank, int code, char *why)
{
    for (char *c = why; *c; c++)
        if (*c > 0 && *c < ' ')
            *c = ' ';
    j->client[rank].ignored = true;
    pm_raise_event(j, PM_NOTE_ABORT, rank, code, why);
}

void pm_raise_event(struct pm_server_job *j, enum pm_note_kind kind, int rank, int code,
                    const char *text)
{
    const struct pm_events *e = &j->events;

    if (e->up)
        e->up(e->owner, &(struct pm_note) { .kind = kind,
                                            .rank = rank,
                                            .value = code,
                                            .bytes = text,
                                            .len = strlen(text) + 1 });
    else if (kind == PM_NOTE_ABORT)
        e->abort(e->owner, rank, code, text);
    else if (kind == PM_NOTE_BROKEN)
        e->broken(e->owner, rank, text);
    else
        e->warn(e->owner, rank, text);
}
