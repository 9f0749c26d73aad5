/* output_options.c — options that say where the output of the ranks goes, and what is put before
 * each line. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "pm/mpiexec/options/option.h"

int pm_opt_label(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->prefix = "[%r] ";
    return 0;
}

int pm_opt_prefix(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->prefix = args[0];
    return 0;
}

int pm_opt_tag(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->prefix = "[1,%r]<%s>:";
    return 0;
}

int pm_opt_timestamp(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->timestamp = true;
    return 0;
}

int pm_opt_merge(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->merges = true;
    return 0;
}

int pm_opt_outfile(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->outfile = args[0];
    return 0;
}

int pm_opt_errfile(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->errfile = args[0];
    return 0;
}

/* copies: the files are copies of what mpiexec writes to its own standard output and error. */
static int set_directory(struct pm_parser *p, const char *name, const char *dir, size_t len,
                         bool copies)
{
    char *own = len ? strndup(dir, len) : NULL;

    if (!len)
        return pm_usage_error(p, "'%s': the name of the directory is empty", name);
    if (!own)
        return pm_usage_error(p, "out of memory");
    free(p->spec->outdir);
    p->spec->outdir = own;
    p->spec->copies = copies;
    return 0;
}

int pm_opt_outdir(struct pm_parser *p, const char *name, char **args)
{
    return set_directory(p, name, args[0], strlen(args[0]), false);
}

/* "DIR" or "DIR:nocopy", as Open MPI has it. */
int pm_opt_outname(struct pm_parser *p, const char *name, char **args)
{
    static const char nocopy[] = ":nocopy";
    size_t len = strlen(args[0]), tail = sizeof nocopy - 1;
    bool copies = len < tail || strcasecmp(args[0] + len - tail, nocopy) != 0;

    return set_directory(p, name, args[0], copies ? len : len - tail, copies);
}

/* The words of Open MPI 5 that stand for an option without arguments. */
static const struct {
    const char *word;
    int (*set)(struct pm_parser *p, const char *name, char **args);
} words[] = {
    { "tag", pm_opt_tag },
    { "tag-detailed", pm_opt_tag },
    { "tag-fullname", pm_opt_tag },
    { "rank", pm_opt_label },
    { "timestamp", pm_opt_timestamp },
    { "merge", pm_opt_merge },
    { "merge-stderr-to-stdout", pm_opt_merge },
    { "raw", pm_opt_ignore },
};

static bool is_word(const char *word, size_t len, const char *known)
{
    return strlen(known) == len && !strncasecmp(word, known, len);
}

/* Applies a word other than nocopy, which changes the meaning of another word. */
static int apply_word(struct pm_parser *p, const char *name, const char *word, size_t len)
{
    if (len > 4 && !strncasecmp(word, "dir=", 4))
        return set_directory(p, name, word + 4, len - 4, true);
    if (len > 5 && !strncasecmp(word, "file=", 5))
        return pm_usage_error(p,
                              "'%s %.*s' is not supported: use -outfile-pattern %.*s.%%r.out "
                              "-errfile-pattern %.*s.%%r.err",
                              name, (int) len, word, (int) len - 5, word + 5, (int) len - 5,
                              word + 5);
    if (is_word(word, len, "xml"))
        return pm_usage_error(
            p, "'%s xml' is not supported: use -json FILE for a description of the job", name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(word, len, words[i].word))
            return words[i].set(p, name, NULL);
    return pm_usage_error(p,
                          "'%s %.*s': not tag, rank, timestamp, merge-stderr-to-stdout, dir=DIR or "
                          "nocopy; a directory here has a slash, as ./%.*s",
                          name, (int) len, word, (int) len, word);
}

/* "tag,timestamp,dir=DIR:nocopy", as Open MPI 5 has it. What begins with a dot, or has a slash and
 * no dir=, is a directory, as for -output-directory. */
int pm_opt_output(struct pm_parser *p, const char *name, char **args)
{
    const char *at = args[0];
    bool copies = true;
    int err = 0;

    if (*at == '.' || (strchr(at, '/') && !strchr(at, '=')))
        return pm_opt_outdir(p, name, args);
    if (!*at)
        return pm_usage_error(p, "'%s': the name of the directory is empty", name);
    for (size_t len; *at && !err; at += len + (at[len] != '\0')) {
        len = strcspn(at, ",:");
        if (is_word(at, len, "nocopy"))
            copies = false;
        else if (len)
            err = apply_word(p, name, at, len);
    }
    if (!err && !copies && !p->spec->outdir)
        err = pm_usage_error(p, "'%s %s': nocopy goes with dir=DIR", name, args[0]);
    if (!copies)
        p->spec->copies = false;
    return err;
}
