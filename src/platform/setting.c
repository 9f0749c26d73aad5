/* setting.c — settings: parses values, finds rows, and loads the values of all sources in order. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "platform/os.h"
#include "platform/setting.h"

extern char **environ;

enum { MAX_LINE = 4096, MAX_SETTINGS = 512 };

static struct { /* sources of values, for the few rows that do not have their default */
    const struct setting *row;
    enum setting_source source;
    char *text; /* of a string */
} origin[MAX_SETTINGS];
static int norigin;

static int parse_number(const char *text, long long min, long long max, long long *n)
{
    char *end;

    errno = 0;
    *n = strtoll(text, &end, 10);
    if (end == text || errno)
        return -1;
    static const struct {
        char letter;
        int shift;
    } unit[] = { { 'k', 10 }, { 'm', 20 }, { 'g', 30 }, { 't', 40 } };
    for (int i = 0; *end && max > INT_MAX && i < 4; i++) {
        if ((*end | 32) == unit[i].letter && *n >= 0 && *n <= max >> unit[i].shift) {
            *n <<= unit[i].shift;
            end++;
            break;
        }
    }
    return *end || *n < min || *n > max ? -1 : 0;
}

static int parse_bool(const char *text, bool *value)
{
    static const char *const word[] = { "no", "yes", "off", "on", "false", "true", "0", "1" };

    for (int i = 0; i < 8; i++) {
        if (!strcasecmp(text, word[i])) {
            *value = i % 2;
            return 0;
        }
    }
    return -1;
}

int setting_parse(const struct setting *s, const char *text, char *why, size_t len)
{
    static const char *const want[] = { [SETTING_INT] = "a whole number",
                                        [SETTING_SIZE] = "a size in bytes such as 65536, 64k or 1m",
                                        [SETTING_BOOL] = "yes or no",
                                        [SETTING_STRING] = "",
                                        [SETTING_RENAMED] = "a setting" };
    long long n = 0;
    bool yes = false;
    int bad = 0;

    switch (s->type) {
    case SETTING_INT:
        bad = parse_number(text, INT_MIN, INT_MAX, &n);
        if (!bad)
            *(int *) s->value = (int) n;
        break;
    case SETTING_SIZE:
        bad = parse_number(text, 0, LLONG_MAX, &n);
        if (!bad)
            *(size_t *) s->value = (size_t) n;
        break;
    case SETTING_BOOL:
        bad = parse_bool(text, &yes);
        if (!bad)
            *(bool *) s->value = yes;
        break;
    case SETTING_STRING:
        *(const char **) s->value = text;
        break;
    case SETTING_RENAMED:
        bad = -1;
        break;
    }
    if (bad)
        snprintf(why, len, "STARLING_%s=%s: not %s", s->name, text, want[s->type]);
    return bad;
}

static const char *without_prefix(const char *name)
{
    return strncasecmp(name, "STARLING_", 9) ? name : name + 9;
}

const struct setting *setting_find(const struct setting *const tables[], const char *name)
{
    for (; *tables; tables++)
        for (const struct setting *s = *tables; s->name; s++)
            if (!strcasecmp(s->name, without_prefix(name)))
                return s;
    return NULL;
}

/* The edit distance: characters to change, insert or remove; counts the first 63. */
static int levenshtein_distance(const char *a, const char *b)
{
    int row[64], la = (int) strnlen(a, 63), lb = (int) strnlen(b, 63);

    for (int j = 0; j <= lb; j++)
        row[j] = j;
    for (int i = 1; i <= la; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= lb; j++) {
            int above = row[j], change = diagonal + ((a[i - 1] | 32) != (b[j - 1] | 32));
            int other = 1 + (above < row[j - 1] ? above : row[j - 1]);
            row[j] = change < other ? change : other;
            diagonal = above;
        }
    }
    return row[lb];
}

const struct setting *setting_nearest(const struct setting *const tables[], const char *name)
{
    const struct setting *best = NULL;
    int least = 1 + (int) strlen(without_prefix(name)) / 2;

    for (; *tables; tables++) {
        for (const struct setting *s = *tables; s->name; s++) {
            int d = levenshtein_distance(without_prefix(name), s->name);
            if (d < least && s->type != SETTING_RENAMED) {
                least = d;
                best = s;
            }
        }
    }
    return best;
}

struct load {
    const struct setting *const *tables;
    void (*complain)(const char *line);
};

static void record_origin(const struct setting *s, enum setting_source source, char *text)
{
    int i = 0;

    while (i < norigin && origin[i].row != s)
        i++;
    if (i == norigin && norigin < MAX_SETTINGS)
        norigin++;
    if (i < norigin) {
        free(origin[i].text);
        origin[i].text = text;
        origin[i].row = s;
        origin[i].source = source;
    }
}

static void set_row(const struct load *l, const char *name, const char *text,
                    enum setting_source source)
{
    const struct setting *s = setting_find(l->tables, name);
    char line[MAX_LINE];

    if (!s) {
        const struct setting *near = setting_nearest(l->tables, name);
        snprintf(line, sizeof line, "STARLING_%.200s is not a setting%s%s%s", without_prefix(name),
                 near ? "; did you mean STARLING_" : "", near ? near->name : "", near ? "?" : "");
        l->complain(line);
        return;
    }
    if (s->type == SETTING_RENAMED) {
        snprintf(line, sizeof line, "STARLING_%s is called STARLING_%s now", s->name, s->fallback);
        l->complain(line);
        set_row(l, s->fallback, text, source);
        return;
    }
    char *copy = strdup(text); /* a string setting points into it until its next value */
    if (!copy || setting_parse(s, copy, line, sizeof line)) {
        l->complain(copy ? line : "out of memory for a setting");
        free(copy);
        return;
    }
    if (s->type != SETTING_STRING) {
        free(copy);
        copy = NULL;
    }
    os_counted_ignore(copy);
    record_origin(s, source, copy);
}

/* Handles "NAME = value", "NAME=value", a comment that starts with '#', or an empty line. */
static void set_from_line(const struct load *l, char *text, enum setting_source source)
{
    text += strspn(text, " \t");
    text[strcspn(text, "\r\n")] = '\0';
    if (!*text || *text == '#')
        return;
    char *eq = strchr(text, '='), *end = eq;
    if (!eq) {
        char line[MAX_LINE];
        snprintf(line, sizeof line, "settings: '%.200s' is not NAME=VALUE", text);
        l->complain(line);
        return;
    }
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
    eq += 1 + strspn(eq + 1, " \t");
    for (end = eq + strlen(eq); end > eq && (end[-1] == ' ' || end[-1] == '\t');)
        *--end = '\0';
    set_row(l, text, eq, source);
}

/* Opens a file of settings, which may be /dev/null: other devices and pipes might never end. NULL,
 * and why. */
static FILE *open_settings(const char *path, const char **why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat s, null;
    FILE *f = NULL;

    bool known = fd >= 0 && !fstat(fd, &s);
    if (known && !S_ISREG(s.st_mode) && (stat("/dev/null", &null) || s.st_rdev != null.st_rdev))
        *why = S_ISDIR(s.st_mode) ? strerror(EISDIR) : "not a regular file";
    else
        *why = known && (f = fdopen(fd, "r")) ? NULL : strerror(errno);
    if (fd >= 0 && !f)
        (void) close(fd);
    return f;
}

static void set_from_file(const struct load *l, const char *path, enum setting_source source)
{
    char line[MAX_LINE];
    const char *why;
    FILE *f = open_settings(path, &why);

    if (!f) {
        if (source == SETTING_USER_FILE) {
            snprintf(line, sizeof line, "STARLING_SETTINGS=%.200s: %s", path, why);
            l->complain(line);
        }
        return;
    }
    while (fgets(line, sizeof line, f))
        set_from_line(l, line, source);
    (void) fclose(f);
}

/* STARLING_SETTINGS is read elsewhere; the other variables are for the compiler wrappers. */
static bool is_not_ours(const char *e)
{
    static const char *const names[] = { "STARLING_SETTINGS=", "STARLING_CC=",  "STARLING_CXX=",
                                         "STARLING_FC=",       "STARLING_F90=", "STARLING_F77=" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(e, names[i], strlen(names[i])))
            return true;
    return false;
}

static void set_from_environment(const struct load *l)
{
    char name[128];

    for (char **e = environ; *e; e++) {
        if (strncmp(*e, "STARLING_", 9) || is_not_ours(*e))
            continue;
        const char *eq = strchr(*e, '=');
        size_t len = eq ? (size_t) (eq - *e) : 0;
        if (!len || len >= sizeof name)
            continue;
        memcpy(name, *e, len);
        name[len] = '\0';
        set_row(l, name, eq + 1, SETTING_ENVIRONMENT);
    }
}

void setting_load(const struct setting *const tables[], const char *etc_file, const char *forwarded,
                  void (*complain)(const char *line))
{
    const struct load l = { tables, complain };
    const char *user = getenv("STARLING_SETTINGS");
    char line[MAX_LINE];

    while (norigin) {
        free(origin[--norigin].text);
        memset(&origin[norigin], 0, sizeof *origin);
    }
    for (const struct setting *const *t = tables; *t; t++)
        for (const struct setting *s = *t; s->name; s++)
            if (s->type != SETTING_RENAMED && setting_parse(s, s->fallback, line, sizeof line))
                complain(line);
    if (etc_file)
        set_from_file(&l, etc_file, SETTING_FILE);
    if (user && *user)
        set_from_file(&l, user, SETTING_USER_FILE);
    set_from_environment(&l);
    while (forwarded && *forwarded) {
        size_t len = strcspn(forwarded, "\n");
        snprintf(line, sizeof line, "%.*s", (int) len, forwarded);
        set_from_line(&l, line, SETTING_MPIEXEC);
        forwarded += len + (forwarded[len] == '\n');
    }
}

enum setting_source setting_source(const struct setting *s)
{
    for (int i = 0; i < norigin; i++)
        if (origin[i].row == s)
            return origin[i].source;
    return SETTING_DEFAULT;
}
