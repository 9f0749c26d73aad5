/* nearest.c — finds options by name, and the name that a misspelled one is most similar to. */
#include <string.h>
#include <strings.h>
#include "pm/mpiexec/options/option.h"

int pm_option_arity(const struct pm_option *o)
{
    int n = o->params[0] != '\0';

    for (const char *c = o->params; *c; c++)
        n += *c == ' ';
    return n;
}

/* The next of the names, which are separated by blanks. */
static const char *next_name(const char *at, size_t *len)
{
    at += strspn(at, " ");
    *len = strcspn(at, " ");
    return *len ? at : NULL;
}

bool pm_option_has_name(const char *names, const char *name, size_t len)
{
    const char *at = names;

    for (size_t n = 0; (at = next_name(at + n, &n)) != NULL;)
        if (n == len && !memcmp(at, name, len))
            return true;
    return false;
}

const struct pm_option *pm_option_find(const struct pm_option *table, const char *name, size_t len)
{
    for (const struct pm_option *o = table; o->names; o++)
        if (pm_option_has_name(o->names, name, len))
            return o;
    return NULL;
}

enum { NAME_MAX = 64 };

static size_t least_of(size_t a, size_t b) { return a < b ? a : b; }

/* The edit distance: characters to change, insert, remove, or exchange with the next one. Both
 * names have less than NAME_MAX. */
static size_t damerau_distance(const char *a, size_t la, const char *b, size_t lb)
{
    size_t rows[3][NAME_MAX], *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *free_row = before;
        before = above;
        above = row;
        row = free_row;
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] =
                least_of(above[j - 1] + (a[i - 1] != b[j - 1]), 1 + least_of(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_of(row[j], 1 + before[j - 2]);
        }
    }
    return row[lb];
}

/* How far a misspelled name is from a name, or NAME_MAX: too far to be meant. */
static size_t misspelled_letters(const char *name, size_t len, const char *known, size_t n)
{
    size_t least = len < n ? len : n;

    if (len == n && !strncasecmp(name, known, n))
        return 0;
    if (least >= 4 && len < n && !memcmp(name, known, len)) /* cut short */
        return 1;
    if (least < 4 && (*name != *known || least != (len > n ? len - 1 : len)))
        return NAME_MAX; /* of few characters, one more or less at the end */
    size_t d = damerau_distance(name, len, known, n);
    return d <= (least < 6 ? 1 : 2) ? d : NAME_MAX;
}

const char *pm_option_nearest(const struct pm_option *table, const char *name)
{
    static char best[NAME_MAX];
    size_t len = strcspn(name, "="), least = NAME_MAX;

    if (!len || len >= sizeof best)
        return NULL;
    for (const struct pm_option *o = table; o->names; o++) {
        const char *at = o->names;
        for (size_t n = 0; (at = next_name(at + n, &n)) != NULL;) {
            size_t d = misspelled_letters(name, len, at, n);
            if (d >= least)
                continue;
            least = d;
            memcpy(best, at, n);
            best[n] = '\0';
        }
    }
    return least < NAME_MAX ? best : NULL;
}
