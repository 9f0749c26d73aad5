/* program_file.c — the option -file (§8.8): a file with options of a program, one on each line, as
 * "wdir=/tmp". It stands for these options on the command line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"

static char *line_trim(char *text)
{
    text += strspn(text, " \t\r");
    for (size_t len = strlen(text); len && strchr(" \t\r", text[len - 1]); len--)
        text[len - 1] = '\0';
    return text;
}

static int parse_line(struct pm_parser *p, char *line)
{
    char *value = strchr(line, '=');

    if (value)
        *value++ = '\0';
    const char *name = line_trim(line);
    const struct pm_option *o = pm_option_find(p->table, name, strlen(name));
    if (!value)
        return pm_usage_error(p, "'%.80s': not NAME=VALUE", name);
    if (!o || o->scope != PM_PROGRAM || pm_option_arity(o) != 1 || o->set == pm_opt_file)
        return pm_usage_error(p, "'%.80s': not an option with one value that is for a program",
                              name);
    value = line_trim(value);
    return o->set(p, name, &value);
}

static int program_text_parse(struct pm_parser *p, char *text, size_t len)
{
    if (strlen(text) < len)
        return pm_usage_error(p, "a byte is 0: this is not a text");
    text = line_trim(text);
    return !*text || *text == '#' ? 0 : parse_line(p, text);
}

int pm_opt_file(struct pm_parser *p, const char *name, char **args)
{
    char reason[512];
    size_t left, width;
    struct pm_parser inner = *p;

    if (p->program->file)
        return pm_usage_error(p, "'%s %s': only one such file may be given", name, args[0]);
    p->program->file = args[0];
    p->program->file_text = pm_read_text(args[0], &left);
    if (!p->program->file_text)
        return pm_usage_error(p, "'%s %s': %s", name, args[0], strerror(errno));
    inner.why = reason;
    inner.len = sizeof reason;
    char *line = p->program->file_text;
    for (int number = 1; left; line += width, left -= width, number++) {
        char *end = memchr(line, '\n', left);
        width = end ? (size_t) (end - line) + 1 : left;
        if (end)
            *end = '\0';
        if (program_text_parse(&inner, line, width - (end != NULL)))
            return pm_usage_error(p, "%s, line %d: %s", args[0], number, reason);
    }
    return 0;
}
