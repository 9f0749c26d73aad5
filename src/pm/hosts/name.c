/* name.c — the name of a host with its user and slots, "[user@]host[:slots]". */
#include <ctype.h>
#include <string.h>
#include "pm/hosts/pm_hosts_impl.h"

int pm_parse_digits(const char *text, size_t len)
{
    int n = 0;

    if (!len || len > 9)
        return -1;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        n = n * 10 + text[i] - '0';
    }
    return n;
}

int pm_parse_slots(struct pm_hosts *h, const char *host, const char *what, const char *text,
                   int *slots)
{
    int n = pm_parse_digits(text, strlen(text));

    if (n < 1 || n > PM_SLOTS_MAX)
        return pm_hosts_refuse(h, "host '%.80s': %s '%.80s' is not a number from 1 to %d", host,
                               what, text, PM_SLOTS_MAX);
    *slots = n;
    return 0;
}

int pm_check_value(struct pm_hosts *h, const char *host, const char *what, const char *text)
{
    size_t len = strlen(text);

    if (!len || len > PM_HOST_NAME_MAX)
        return pm_hosts_refuse(h,
                               "host '%.80s': %s '%.80s' has %zu characters, 1 to %d are allowed",
                               host, what, text, len, PM_HOST_NAME_MAX);
    for (const char *c = text; *c; c++)
        if (!isgraph((unsigned char) *c))
            return pm_hosts_refuse(h, "host '%.80s': %s '%.80s' has the character 0x%02x", host,
                                   what, text, (unsigned char) *c);
    return 0;
}

/* A name or an address. A launcher would take one that begins with '-' for an option. */
static int check_name(struct pm_hosts *h, const char *what, const char *name)
{
    size_t len = strlen(name);

    if (!len)
        return pm_hosts_refuse(h, "the name of a %s is empty", what);
    if (len > PM_HOST_NAME_MAX)
        return pm_hosts_refuse(h, "%s '%.80s...' has %zu characters, %d are allowed", what, name,
                               len, PM_HOST_NAME_MAX);
    if (*name == '-')
        return pm_hosts_refuse(h, "%s '%.80s' begins with '-'", what, name);
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char) *c) && !strchr("-._:%@\\+", *c))
            return pm_hosts_refuse(h, "%s '%.80s' has the character 0x%02x", what, name,
                                   (unsigned char) *c);
    return 0;
}

/* Ends the name at its colon and returns what is behind it; NULL: there are no slots. Two colons
 * are in an IPv6 address, which has its slots behind brackets. */
static char *cut_slots(char *name)
{
    char *colon = strchr(name, ':');

    if (!colon || strchr(colon + 1, ':'))
        return NULL;
    *colon = '\0';
    return colon + 1;
}

/* The same for "[address]" and "[address]:slots". */
static int cut_brackets(struct pm_hosts *h, char **name, char **slots)
{
    char *end = strchr(*name, ']');

    if (!end || (end[1] && end[1] != ':'))
        return pm_hosts_refuse(h, "'%.80s' is not an address in brackets", *name);
    *end = '\0';
    ++*name;
    *slots = end[1] ? end + 2 : NULL;
    return 0;
}

int pm_parse_host(struct pm_hosts *h, char *text, struct pm_host_entry *e)
{
    char *at = strrchr(text, '@'), *slots = NULL;
    int err = 0;

    *e = (struct pm_host_entry) { .name = at ? at + 1 : text, .user = at ? text : NULL };
    if (at)
        *at = '\0';
    if (*e->name == '[')
        err = cut_brackets(h, &e->name, &slots);
    else
        slots = cut_slots(e->name);
    if (!err)
        err = check_name(h, "host", e->name);
    if (!err && e->user)
        err = check_name(h, "user", e->user);
    if (!err && slots)
        err = pm_parse_slots(h, e->name, "slots", slots, &e->slots);
    return err;
}
