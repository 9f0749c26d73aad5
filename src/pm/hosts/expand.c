/* expand.c — lists of names with ranges, "a,node[01-12,20]x[0-1]", as Slurm writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/hosts/pm_hosts_impl.h"

enum { BRACKETS_MAX = 8, TEXT_MAX = 2 * PM_HOST_NAME_MAX + 16 }; /* "user@name:slots" */

struct expansion {
    struct pm_hosts *hosts;
    int (*found)(void *arg, char *name);
    void *arg;
    const char *item; /* for error texts */
    int names;
    char text[TEXT_MAX]; /* the name so far */
};

static int expansion_expand_rest(struct expansion *x, const char *rest, size_t used, int brackets);

static int expansion_add(struct expansion *x, size_t used)
{
    char name[TEXT_MAX];

    if (x->names++ == PM_HOSTS_MAX)
        return pm_hosts_refuse(x->hosts, "'%.80s': more than %d hosts", x->item, PM_HOSTS_MAX);
    memcpy(name, x->text, used);
    name[used] = '\0';
    return x->found(x->arg, name);
}

/* The range "007-012" or the number "7", of len bytes, with rest behind the bracket. */
static int expand_range(struct expansion *x, const char *range, size_t len, const char *rest,
                        const size_t at[2])
{
    const char *dash = memchr(range, '-', len);
    size_t width = dash ? (size_t) (dash - range) : len;
    int first = pm_parse_digits(range, width), last = first, err = 0;

    if (dash)
        last = pm_parse_digits(dash + 1, len - width - 1);
    if (first < 0 || last < first)
        return pm_hosts_refuse(x->hosts, "'%.80s': '%.*s' is not a range of numbers", x->item,
                               len < 80 ? (int) len : 80, range);
    if (last - first >= PM_HOSTS_MAX)
        return pm_hosts_refuse(x->hosts, "'%.80s': '%.*s' has more than %d hosts", x->item,
                               (int) len, range, PM_HOSTS_MAX);
    for (int i = first; !err && i <= last; i++) {
        int n = snprintf(x->text + at[0], TEXT_MAX - at[0], "%0*d", (int) width, i);
        err = expansion_expand_rest(x, rest, at[0] + (size_t) n, (int) at[1] + 1);
    }
    return err;
}

/* What is in the first bracket of text, of len bytes with both brackets. */
static int expand_bracket(struct expansion *x, const char *text, size_t len, size_t used,
                          int brackets)
{
    const size_t at[2] = { used, (size_t) brackets };
    const char *end = text + len - 1;

    for (const char *range = text + 1;;) {
        const char *comma = memchr(range, ',', (size_t) (end - range));
        size_t width = (size_t) ((comma ? comma : end) - range);
        int err = expand_range(x, range, width, text + len, at);
        if (err || !comma)
            return err;
        range = comma + 1;
    }
}

static int expansion_expand_rest(struct expansion *x, const char *rest, size_t used, int brackets)
{
    size_t plain = strcspn(rest, "["), len = strcspn(rest + plain, "]");

    if (used + plain + 16 > TEXT_MAX)
        return pm_hosts_refuse(x->hosts, "'%.80s': the name of a host has more than %d characters",
                               x->item, PM_HOST_NAME_MAX);
    memcpy(x->text + used, rest, plain);
    used += plain;
    if (!rest[plain])
        return expansion_add(x, used);
    if (!rest[plain + len])
        return pm_hosts_refuse(x->hosts, "'%.80s': a bracket is not closed", x->item);
    if (brackets == BRACKETS_MAX)
        return pm_hosts_refuse(x->hosts, "'%.80s': more than %d brackets in a name", x->item,
                               BRACKETS_MAX);
    return expand_bracket(x, rest + plain, len + 1, used, brackets);
}

/* Bytes before the next comma that is not in brackets. */
static size_t item_len(const char *text)
{
    size_t n = 0;

    for (int depth = 0; text[n] && (depth || text[n] != ','); n++)
        depth += text[n] == '[' ? 1 : text[n] == ']' && depth ? -1 : 0;
    return n;
}

/* Whether an item has the brackets of an IPv6 address. */
static bool is_address(const char *item)
{
    const char *at = strrchr(item, '@'), *from = at ? at + 1 : item;
    size_t len = strcspn(from, "]");

    return *from == '[' && memchr(from, ':', len);
}

static int expand_item(struct expansion *x, const char *item)
{
    size_t len = strlen(item);

    x->item = item;
    if (!is_address(item))
        return expansion_expand_rest(x, item, 0, 0);
    if (len >= TEXT_MAX)
        return pm_hosts_refuse(x->hosts, "'%.80s...': the name of a host is too long", item);
    memcpy(x->text, item, len);
    return expansion_add(x, len);
}

int pm_expand(struct pm_hosts *h, const char *names, int (*found)(void *arg, char *name), void *arg)
{
    struct expansion x = { .hosts = h, .found = found, .arg = arg };
    char *copy = strdup(names), *item = copy;
    int err = copy ? 0 : pm_hosts_refuse(h, "out of memory");

    while (!err) {
        size_t len = item_len(item);
        bool more = item[len] == ',';
        item[len] = '\0';
        err = expand_item(&x, item);
        if (!more)
            break;
        item += len + 1;
    }
    free(copy);
    return err;
}

static int add_name(void *arg, char *name)
{
    struct pm_host_entry e;
    int err = pm_parse_host(arg, name, &e);

    if (!err)
        err = pm_hosts_add(arg, &e);
    return err;
}

int pm_hosts_from_names(struct pm_hosts *h, const char *source, const char *names)
{
    pm_hosts_at(h, source, 0);
    return pm_expand(h, names, add_name, h);
}
