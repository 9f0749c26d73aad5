/* nearest.c — finds options by name, and the name that a misspelled one is most similar to. */
#include <string.h>
#include "option.h"

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

const struct pm_option *pm_option_find(const char *name, size_t len)
{
    for (const struct pm_option *o = pm_options; o->names; o++)
        if (pm_option_has_name(o->names, name, len))
            return o;
    return NULL;
}

/* The edit distance: characters to change, insert or remove. Both names have less than 64. */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
    size_t row[64];

    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t above = row[j], change = diagonal + (a[i - 1] != b[j - 1]);
            size_t other = 1 + (above < row[j - 1] ? above : row[j - 1]);
            row[j] = change < other ? change : other;
            diagonal = above;
        }
    }
    return row[lb];
}

const char *pm_option_nearest(const char *name)
{
    static char best[64];
    size_t len = strcspn(name, "="), least = 2 + len / 3;

    if (!len || len >= sizeof best)
        return NULL;
    for (const struct pm_option *o = pm_options; o->names; o++) {
        const char *at = o->names;
        for (size_t n = 0; (at = next_name(at + n, &n)) != NULL;) {
            size_t d = distance(name, len, at, n);
            if (d >= least || d >= len)
                continue;
            least = d;
            memcpy(best, at, n);
            best[n] = '\0';
        }
    }
    return least < 2 + len / 3 ? best : NULL;
}
