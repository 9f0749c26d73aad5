/* pmi2_message.c — reads and writes the bodies of PMI-2, "cmd=NAME;key=value;...".
 *
 * A ';' ends a value; two of them are one ';' of the value. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "pm/server/pm_pmi2.h"

/* The ';' that ends a value; NULL: none does. */
static const char *value_end(const char *value)
{
    for (; *value; value++)
        if (*value == ';' && *++value != ';')
            return value - 1;
    return NULL;
}

int pm_next_field(const char **body, struct pm_field *f)
{
    if (!**body)
        return 0;
    f->name = *body;
    f->name_len = strcspn(f->name, "=;");
    if (!f->name_len || f->name[f->name_len] != '=')
        return -EPROTO;
    f->value = f->name + f->name_len + 1;
    const char *end = value_end(f->value);
    if (!end)
        return -EPROTO;
    f->value_len = (size_t) (end - f->value);
    *body = end + 1;
    return 1;
}

static bool is_field_name(const struct pm_field *f, const char *name)
{
    return f->name_len == strlen(name) && !memcmp(f->name, name, f->name_len);
}

bool pm_body_command(const char *body, char *name, size_t len)
{
    struct pm_field f;
    int got = pm_next_field(&body, &f);

    if (got <= 0 || !is_field_name(&f, "cmd") || !f.value_len || f.value_len >= len)
        return false;
    memcpy(name, f.value, f.value_len);
    name[f.value_len] = '\0';
    while ((got = pm_next_field(&body, &f)) > 0)
        if (is_field_name(&f, "cmd"))
            return false;
    return !got && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")];
}

int pm_field_value(const struct pm_field *f, char *value, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < f->value_len; i++) {
        if (n + 1 >= len)
            return -EMSGSIZE;
        value[n++] = f->value[i];
        i += f->value[i] == ';';
    }
    value[n] = '\0';
    return 0;
}

static const char *field_error(struct pm_request *r, const char *field, const char *what)
{
    (void) snprintf(r->why, sizeof r->why, "%s_%s", field, what);
    return r->why;
}

const char *pm_read(struct pm_request *r, const char *field, char *value, size_t len,
                    const char *otherwise)
{
    const char *body = r->body;
    struct pm_field f, found = { .name = NULL };

    while (pm_next_field(&body, &f) > 0) {
        if (!is_field_name(&f, field))
            continue;
        if (found.name)
            return field_error(r, field, "is_given_twice");
        found = f;
    }
    if (!found.name && !otherwise)
        return field_error(r, field, "is_missing");
    if (!found.name)
        (void) snprintf(value, len, "%s", otherwise);
    else if (pm_field_value(&found, value, len))
        return field_error(r, field, "is_too_long");
    return NULL;
}

/* Appends a field to the reply of *n bytes. What does not fit is left out. */
static void field_append(struct pm_server *s, size_t *n, const char *name, const char *value)
{
    size_t doubled = 0;

    for (const char *c = value; *c; c++)
        doubled += *c == ';';
    if (*n + strlen(name) + strlen(value) + doubled + sizeof "=;" > sizeof s->out)
        return;
    while (*name)
        s->out[(*n)++] = *name++;
    s->out[(*n)++] = '=';
    for (; *value; value++) {
        s->out[(*n)++] = *value;
        if (*value == ';')
            s->out[(*n)++] = ';';
    }
    s->out[(*n)++] = ';';
}

void pm_answer(const struct pm_request *r, const char *why, ...)
{
    struct pm_server *s = r->job->server;
    size_t n = PM_FRAMING_LENGTH;
    char text[PM_WORD_MAX + sizeof "-response"];
    const char *name;
    va_list args;

    (void) snprintf(text, sizeof text, "%s-response", r->command);
    field_append(s, &n, "cmd", text);
    if (*r->thrid)
        field_append(s, &n, "thrid", r->thrid);
    field_append(s, &n, "rc", why ? "1" : "0");
    if (why)
        field_append(s, &n, "errmsg", why);
    va_start(args, why);
    while ((name = va_arg(args, const char *)))
        field_append(s, &n, name, va_arg(args, const char *));
    va_end(args);
    (void) snprintf(text, sizeof text, "%*zu", PM_FRAMING_LENGTH, n - PM_FRAMING_LENGTH);
    memcpy(s->out, text, PM_FRAMING_LENGTH);
    r->job->events.send(r->job->events.owner, r->rank, s->out, n);
}
