/* policy.c — reads the values of -bind-to, -map-by and -membind, in the spellings of MPICH and of
 * Open MPI. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "pm/bind/bind_impl.h"

#define PARTS  "hwthread, core, l1cache, l2cache, l3cache, numa, socket and machine"
#define PLACES PARTS ", and with :N several of them"

static const struct name {
    const char *name;
    enum pm_level level;
} names[] = {
    { "hwthread", PM_HWTHREAD }, { "core", PM_CORE },       { "l1cache", PM_L1 },
    { "l2cache", PM_L2 },        { "l3cache", PM_L3 },      { "numa", PM_NUMA },
    { "socket", PM_PACKAGE },    { "package", PM_PACKAGE }, { "machine", PM_MACHINE },
    { "board", PM_MACHINE }, /* hwloc knows no machine of several boards */
};

/* What MPICH knows, each perhaps with a number. */
static const char *const devices[] = { "pci", "gpu", "ib", "en", "eth", "hfi" };

struct text { /* of an option's value what is not yet read: words, separated by colons or commas */
    const char *at;
    size_t len; /* of the word at `at` */
};

__attribute__((format(printf, 3, 4))) static int policy_refuse(char *why, size_t len,
                                                               const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(why, len, fmt, args);
    va_end(args);
    return -EINVAL;
}

static struct text first_word(const char *value)
{
    return (struct text) { value, strcspn(value, ":") };
}

/* False when there is none. */
static bool next_word(struct text *t)
{
    t->at += t->len;
    if (!*t->at)
        return false;
    t->at++;
    t->len = strcspn(t->at, ":,");
    return true;
}

static bool is_policy_word(const struct text *t, const char *word)
{
    return strlen(word) == t->len && !strncasecmp(t->at, word, t->len);
}

static bool has_word_prefix(const struct text *t, const char *start)
{
    return strlen(start) <= t->len && !strncasecmp(t->at, start, strlen(start));
}

/* Reads the digits of a word behind its first `skip` characters. */
static bool policy_read_number(const struct text *t, size_t skip, int *n)
{
    int value = 0;

    for (size_t i = skip; i < t->len; i++) {
        if (!isdigit((unsigned char) t->at[i]) || value > PM_CPUS)
            return false;
        value = value * 10 + (t->at[i] - '0');
    }
    *n = value;
    return t->len > skip && value > 0 && value <= PM_CPUS;
}

static bool find_level(const struct text *t, enum pm_level *level)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_policy_word(t, names[i].name)) {
            *level = names[i].level;
            return true;
        }
    }
    return false;
}

static bool is_device(const struct text *t)
{
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        size_t n = strlen(devices[i]);
        if (has_word_prefix(t, devices[i]) && (t->len == n || isdigit((unsigned char) t->at[n])))
            return true;
    }
    return false;
}

static bool is_cache(const struct text *t)
{
    return t->len > 6 && tolower((unsigned char) *t->at) == 'l' && isdigit((unsigned char) t->at[1])
           && !strncasecmp(t->at + t->len - 5, "cache", 5);
}

/* Refuses a word that is not the name of an object. */
static int unknown_object(const struct text *t, const char *known, char *why, size_t len)
{
    if (is_device(t))
        return policy_refuse(
            why, len, "the places beside devices are not known to mpiexec; known are %s", known);
    if (is_cache(t))
        return policy_refuse(why, len, "of caches, l1cache, l2cache and l3cache are known");
    return policy_refuse(why, len, "'%.*s' is not known; known are %s", (int) t->len, t->at, known);
}

/* The words after the name of an object. */
static int read_objects(struct pm_bind *b, struct text *t, char *why, size_t len)
{
    bool counted = false;

    b->count = 1;
    while (next_word(t)) {
        if (!counted && policy_read_number(t, 0, &b->count))
            counted = true;
        else if (!is_policy_word(t, "overload-allowed")
                 && !is_policy_word(t, "if-supported")) /* always so */
            return policy_refuse(why, len, "'%.*s' is not a number from 1 to %d", (int) t->len,
                                 t->at, PM_CPUS);
    }
    b->how = PM_BIND_OBJECTS;
    return 0;
}

int pm_bind_to(struct pm_bind *b, const char *value, char *why, size_t len)
{
    struct text t = first_word(value);
    struct pm_cpus set;

    if (is_policy_word(&t, "user") && t.at[t.len]) {
        if (pm_user_set(t.at + t.len + 1, 0, &set))
            return policy_refuse(
                why, len, "not sets of CPUs from 0 to %d, such as 'user:0+2,4-7,1'", PM_CPUS - 1);
        b->how = PM_BIND_USER;
        b->user = t.at + t.len + 1;
        return 0;
    }
    if (is_policy_word(&t, "none") || is_policy_word(&t, "rr")) {
        if (t.at[t.len])
            return policy_refuse(why, len, "none and rr are words without a colon");
        b->how = is_policy_word(&t, "rr") ? PM_BIND_RR : PM_BIND_NONE;
        return 0;
    }
    if (find_level(&t, &b->to))
        return read_objects(b, &t, why, len);
    return unknown_object(&t, "none, rr, user:0+2,1, " PLACES, why, len);
}

/* Words of Open MPI: without effect here, or of options. */
static const struct {
    const char *word, *instead;
} modifiers[] = {
    { "oversubscribe", NULL }, /* always so */
    { "inherit", NULL },
    { "noinherit", NULL },
    { "corecpus", NULL },
    { "nooversubscribe", "-strict-slots" },
    { "nolocal", "-skip-launch-node" },
    { "hwtcpus", "-bind-to hwthread" },
};

static int read_modifier(const struct text *t, char *why, size_t len)
{
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        if (!is_policy_word(t, modifiers[i].word))
            continue;
        return !modifiers[i].instead ? 0
                                     : policy_refuse(why, len, "instead of '%.*s' use %s",
                                                     (int) t->len, t->at, modifiers[i].instead);
    }
    return policy_refuse(why, len, "'%.*s' is not known; known are pe=N and oversubscribe",
                         (int) t->len, t->at);
}

/* The words after the name of what ranks are mapped by. */
static int read_modifiers(struct pm_bind *b, struct text *t, char *why, size_t len)
{
    bool strided = b->map != PM_MAP_OBJECTS || b->in_a_row;

    b->stride = 1;
    b->pe = 0;
    while (next_word(t)) {
        if (has_word_prefix(t, "pe=")) {
            if (!policy_read_number(t, 3, &b->pe))
                return policy_refuse(why, len, "'%.*s' is not pe= and a number from 1 to %d",
                                     (int) t->len, t->at, PM_CPUS);
        } else if (!strided && policy_read_number(t, 0, &b->stride)) {
            strided = true;
        } else if (read_modifier(t, why, len)) {
            return -EINVAL;
        }
    }
    return 0;
}

int pm_bind_map(struct pm_bind *b, const char *value, char *why, size_t len)
{
    struct text t = first_word(value);

    b->in_a_row = 0;
    if (is_policy_word(&t, "ppr")) {
        bool found = next_word(&t) && policy_read_number(&t, 0, &b->in_a_row) && next_word(&t);
        if (!found || is_policy_word(&t, "slot"))
            return policy_refuse(why, len, "not ppr:N:PART, N being 1 to %d and PART node, " PARTS,
                                 PM_CPUS);
    }
    if (is_policy_word(&t, "slot") || (!t.len && *t.at)) /* ":oversubscribe" */
        b->map = PM_MAP_SLOT;
    else if (is_policy_word(&t, "node"))
        b->map = PM_MAP_NODE;
    else if (find_level(&t, &b->by))
        b->map = PM_MAP_OBJECTS;
    else
        return unknown_object(&t, "slot, node, ppr:N:PART, " PLACES, why, len);
    return read_modifiers(b, &t, why, len);
}

int pm_bind_memory(const char *value, char *why, size_t len)
{
    if (!strcasecmp(value, "none") || !strcasecmp(value, "firsttouch"))
        return 0;
    return policy_refuse(
        why, len,
        "mpiexec sets no memory policy, so memory is near the CPU that uses it first "
        "(-bind-to keeps ranks there); known are none and firsttouch");
}

int pm_bind_finish(struct pm_bind *b, char *why, size_t len)
{
    if (!b->pe)
        return 0;
    if (b->how == PM_BIND_DEFAULT) {
        b->how = PM_BIND_OBJECTS;
        b->to = PM_CORE;
        b->count = 1;
    }
    if (b->how != PM_BIND_OBJECTS || b->to < PM_CORE || (b->count != 1 && b->count != b->pe))
        return policy_refuse(why, len,
                             "'-map-by' with pe=%d, which is a number of cores or hardware "
                             "threads, goes with '-bind-to core' and '-bind-to hwthread' only",
                             b->pe);
    b->count = b->pe;
    return 0;
}

bool pm_bind_wanted(const struct pm_bind *b) { return b->how > PM_BIND_NONE; }

bool pm_bind_same(const struct pm_bind *a, const struct pm_bind *b)
{
    return a->how == b->how && a->to == b->to && a->count == b->count && a->user == b->user
           && a->map == b->map && a->by == b->by && a->stride == b->stride
           && a->in_a_row == b->in_a_row && a->pe == b->pe;
}

bool pm_bind_needs_topology(const struct pm_bind *b)
{
    return pm_bind_wanted(b) && b->how != PM_BIND_USER;
}
