/* topology.c — reads the text that starling_topo prints.
 *
 * The text comes from another process, perhaps of another host: nothing is taken from it that a
 * later use relies on and that has not been checked. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/bind/pm_bind.h"

static const char first_line[] = "starling_topo 1", last_line[] = "end";

const char *const pm_level_name[PM_LEVELS] = {
    [PM_MACHINE] = "machine", [PM_PACKAGE] = "package",   [PM_NUMA] = "numa",
    [PM_L3] = "l3cache",      [PM_L2] = "l2cache",        [PM_L1] = "l1cache",
    [PM_CORE] = "core",       [PM_HWTHREAD] = "hwthread",
};

struct reader {
    struct pm_topology *t;
    int line;
    bool allowed; /* that line has been read */
    char *why;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static int topology_refuse(const struct reader *r,
                                                                 const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(r->why, r->size, fmt, args);
    va_end(args);
    return -EINVAL;
}

/* Refuses a line, whose beginning is shown. */
static int refuse_line(const struct reader *r, const char *line, size_t len, const char *what)
{
    char shown[41];
    size_t n = len < sizeof shown - 1 ? len : sizeof shown - 1;

    for (size_t i = 0; i < n; i++)
        shown[i] = (char) (line[i] < ' ' || line[i] > '~' ? '?' : line[i]);
    shown[n] = '\0';
    return topology_refuse(r, "line %d, '%s': %s", r->line, shown, what);
}

static bool is_topology_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && !memcmp(text, word, len);
}

static int add_object(struct pm_objects *p, const struct pm_cpus *set)
{
    if (!(p->count & (p->count - 1))) { /* the room is the next power of two */
        struct pm_cpus *more =
            realloc(p->object, (p->count ? 2 * (size_t) p->count : 1) * sizeof *more);
        if (!more)
            return -ENOMEM;
        p->object = more;
    }
    p->object[p->count++] = *set;
    return 0;
}

/* Reads a line such as "core 0,4". */
static int read_line(struct reader *r, const char *line, size_t len)
{
    const char *blank = memchr(line, ' ', len);
    size_t word = blank ? (size_t) (blank - line) : len;
    struct pm_cpus set;
    int level = 0;

    if (!blank || pm_cpus_parse(&set, blank + 1, len - word - 1))
        return refuse_line(r, line, len, "not a word and a list of CPUs");
    if (is_topology_word(line, word, "allowed")) {
        if (r->allowed)
            return refuse_line(r, line, len, "for the second time");
        r->allowed = true;
        r->t->allowed = set;
        return 0;
    }
    while (level < PM_LEVELS && !is_topology_word(line, word, pm_level_name[level]))
        level++;
    if (level == PM_LEVELS)
        return refuse_line(r, line, len, "not a part of a machine");
    if (r->t->level[level].count == PM_CPUS)
        return refuse_line(r, line, len, "too many of them");
    return add_object(&r->t->level[level], &set) ? topology_refuse(r, "out of memory") : 0;
}

/* Reads all lines between the first and the last one. */
static int read_text(struct reader *r, const char *text, size_t len)
{
    bool ended = false;

    for (const char *at = text, *end = text + len; at < end; r->line++) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        size_t n = newline ? (size_t) (newline - at) : (size_t) (end - at);
        if (!newline)
            return refuse_line(r, at, n, "the text ends within this line");
        if (r->line == 1 && !is_topology_word(at, n, first_line))
            return refuse_line(r, at, n, "the text of another version");
        if (ended)
            return refuse_line(r, at, n, "after the end");
        ended = is_topology_word(at, n, last_line);
        int err = r->line == 1 || ended ? 0 : read_line(r, at, n);
        if (err)
            return err;
        at = newline + 1;
    }
    return ended ? 0 : topology_refuse(r, "the text ends after %d lines", r->line - 1);
}

/* Checks that every CPU of the machine is in exactly one object of the level. */
static int check_partition(const struct reader *r, enum pm_level level)
{
    const struct pm_objects *p = &r->t->level[level];
    const struct pm_cpus *machine = r->t->level[PM_MACHINE].object;
    struct pm_cpus all = { { 0 } };
    int sum = 0;

    for (int i = 0; i < p->count; i++) {
        pm_cpus_add(&all, &p->object[i]);
        sum += pm_cpus_count(&p->object[i]);
    }
    if (sum == pm_cpus_count(machine) && pm_cpus_equal(&all, machine))
        return 0;
    return topology_refuse(r, "the parts '%s' are not all of the machine, each CPU once",
                           pm_level_name[level]);
}

static bool is_in_one(const struct pm_objects *p, const struct pm_cpus *set)
{
    for (int i = 0; i < p->count; i++)
        if (pm_cpus_contain(&p->object[i], set))
            return true;
    return false;
}

static int topology_validate(const struct reader *r)
{
    const struct pm_topology *t = r->t;
    const struct pm_objects *machine = &t->level[PM_MACHINE], *threads = &t->level[PM_HWTHREAD];

    if (machine->count != 1 || !r->allowed)
        return topology_refuse(r, "there are not one line 'machine' and one 'allowed'");
    if (!pm_cpus_contain(machine->object, &t->allowed))
        return topology_refuse(r, "CPUs are allowed that are not of the machine");
    for (int level = PM_PACKAGE; level < PM_LEVELS; level++)
        for (int i = 0; i < t->level[level].count; i++)
            if (!pm_cpus_contain(machine->object, &t->level[level].object[i]))
                return topology_refuse(r, "a part '%s' is not of the machine",
                                       pm_level_name[level]);
    if (!t->level[PM_NUMA].count)
        return topology_refuse(r, "there is no part 'numa'");
    if (check_partition(r, PM_PACKAGE) || check_partition(r, PM_CORE)
        || check_partition(r, PM_HWTHREAD))
        return -EINVAL;
    for (int i = 0; i < t->level[PM_CORE].count; i++)
        if (!is_in_one(&t->level[PM_PACKAGE], &t->level[PM_CORE].object[i]))
            return topology_refuse(r, "a part 'core' is in several packages");
    return threads->count == pm_cpus_count(machine->object)
               ? 0
               : topology_refuse(r, "a part 'hwthread' has several CPUs");
}

struct pm_topology *pm_topology_parse(const char *text, size_t len, char *why, size_t size)
{
    struct reader r = { .t = calloc(1, sizeof *r.t), .line = 1, .why = why, .size = size };

    if (!r.t)
        (void) topology_refuse(&r, "out of memory");
    else if (!read_text(&r, text, len) && !topology_validate(&r))
        return r.t;
    pm_topology_free(r.t);
    return NULL;
}

void pm_topology_free(struct pm_topology *t)
{
    for (int level = 0; t && level < PM_LEVELS; level++)
        free(t->level[level].object);
    free(t);
}
