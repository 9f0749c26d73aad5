/* configfile.c — a file with one program on each line, in the syntax of the command line.
 *
 * '#' starts a comment, a backslash at the end of a line joins it with the next, and arguments
 * may be quoted as in a shell. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"

enum { WORDS_MAX = 4096 };

/* Cuts the first word out of the text at *at, in place, and moves *at behind it. NULL when there
 * is no word, or, with *open set, when a quote is not closed. */
static char *config_cut_word(char **at, bool *open)
{
    char *from = *at + strspn(*at, " \t\r"), *to = from, *start = from, quote = '\0';

    if (!*from || *from == '#')
        return NULL;
    for (; *from && (quote || !strchr(" \t\r", *from)); from++) {
        if (!quote && (*from == '\'' || *from == '"')) {
            quote = *from;
        } else if (quote && *from == quote) {
            quote = '\0';
        } else if (*from == '\\' && from[1] && quote != '\'') {
            *to++ = *++from;
        } else {
            *to++ = *from;
        }
    }
    *at = from + (*from != '\0');
    *to = '\0';
    *open = quote;
    return quote ? NULL : start;
}

static int parse_line(struct pm_parser *p, char *line)
{
    char **words = malloc((WORDS_MAX + 1) * sizeof *words), *w;
    bool open = false;
    size_t n = 0;
    int err = 0;

    if (!words)
        return pm_usage_error(p, "out of memory");
    while (n < WORDS_MAX && (w = config_cut_word(&line, &open)))
        words[n++] = w;
    words[n] = NULL;
    if (open || n == WORDS_MAX)
        err = pm_usage_error(p, open ? "a quote is not closed" : "more than %d words", WORDS_MAX);
    else if (n)
        err = pm_parse_programs(p, words);
    free(words);
    return err;
}

/* Terminates the line at text, after joining it with lines that follow a backslash. Adds the
 * lines to *number and returns the next line, or NULL. */
static char *cut_line(char *text, int *number)
{
    for (char *end = text; (end = strchr(end, '\n')) != NULL;) {
        ++*number;
        size_t cr = end > text && end[-1] == '\r';
        if (end - cr > text && end[-1 - (ptrdiff_t) cr] == '\\') {
            memset(end - 1 - cr, ' ', 2 + cr);
            continue;
        }
        *end = '\0';
        return end + 1;
    }
    ++*number;
    return NULL;
}

int pm_opt_configfile(struct pm_parser *p, const char *name, char **args)
{
    char reason[512], *next;
    int err = 0, number = 0;
    size_t before = p->spec->programs, len;
    struct pm_parser inner = *p;

    if (p->spec->configfile)
        return pm_usage_error(p, "'%s %s': only one such file may be given", name, args[0]);
    p->spec->configfile = pm_read_text(args[0], &len);
    if (!p->spec->configfile)
        return pm_usage_error(p, "'%s %s': %s", name, args[0], strerror(errno));
    inner.why = reason;
    inner.len = sizeof reason;
    for (char *line = p->spec->configfile; line && !err; line = next) {
        next = cut_line(line, &number);
        err = parse_line(&inner, line);
    }
    if (err)
        return pm_usage_error(p, "%s, line %d: %s", args[0], number, reason);
    if (p->spec->programs == before && p->spec->action == PM_RUN)
        return pm_usage_error(p, "'%s %s': the file has no program", name, args[0]);
    return 0;
}
