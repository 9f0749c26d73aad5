/* lines_test.c — what mpiexec makes of command lines that users of other launchers write: each does
 * what it does there, or is refused or ignored by its name, and none is taken for something else.
 *
 * Usage: lines_test DIR. DIR/lines.txt has the lines. Below each, indented, is what the parser
 * makes of it: the programs with their numbers of processes, then what differs from the default;
 * warnings; or why it is refused. Prints the entries that are wrong as they would be right. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/mpiexec/reach/mpiexec_reach.h"
#include "pm/mpiexec/options/option.h"

static char answer[4096];
static size_t used;

__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(answer + used, sizeof answer - used, fmt, args);
    va_end(args);
    used += n > 0 && used + (size_t) n < sizeof answer ? (size_t) n : 0;
}

static void warn(const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    say("    warning: %s\n", text);
}

static void say_text(const char *name, const char *value)
{
    if (value)
        say(" %s=%s", name, value);
}

static void say_number(const char *name, int value, int usual)
{
    if (value != usual)
        say(" %s=%d", name, value);
}

static void say_environment(const struct pm_env_rules *r)
{
    static const char *const modes[] = { NULL, "all", "none", "list" };

    say_text("env", modes[r->mode]);
    say_text("pass", r->mode == PM_ENV_LIST ? r->list : NULL);
    for (size_t i = 0; i < r->assigned; i++)
        say_text(r->assign[i].name, r->assign[i].value);
}

static void say_program(const struct pm_program *p)
{
    say("%d", p->count);
    for (char **a = p->argv; *a; a++)
        say(" %s", *a);
    say_text("wdir", p->wdir);
    say_text("host", p->host);
    say_text("path", p->path);
    say_environment(&p->env);
}

static void say_binding(const struct pm_spec *s)
{
    const struct pm_bind *b = &s->bind;
    static const char *const how[] = { NULL, "none", "parts", "rr", "user" };
    static const char *const map[] = { NULL, "slot", "node", "parts" };

    say_text("bind", how[b->how]);
    if (b->how == PM_BIND_OBJECTS)
        say(" %s:%d", pm_level_name[b->to], b->count);
    say_text("map", map[b->map]);
    if (b->map == PM_MAP_OBJECTS)
        say_text("by", pm_level_name[b->by]);
    say_number("in-a-row", b->in_a_row, 0);
    say_number("per-host", s->layout.per_host, 0);
    say_number("by-node", s->layout.by_node, 0);
    say_number("strict", s->layout.strict, 0);
    say_number("order", s->layout.order, PM_AS_GIVEN);
    say_number("reports-bindings", s->report_bindings, 0);
}

static void say_output(const struct pm_spec *s)
{
    say_text("prefix", s->prefix);
    say_number("timestamp", s->timestamp, 0);
    say_number("merges", s->merges, 0);
    say_text("dir", s->outdir);
    say_number("copies", s->copies, 0);
    say_text("out", s->outfile);
    say_text("err", s->errfile);
    say_number("stdin", s->input_rank, 0);
    say_number("exit-codes", s->exit_codes, 0);
    say_number("verbose", s->verbose, 0);
}

static void say_job(const struct pm_spec *s)
{
    say("    ");
    for (size_t i = 0; i < s->programs; i++) {
        say("%s", i ? " : " : "");
        say_program(&s->program[i]);
    }
    say_environment(&s->env);
    say_binding(s);
    say_output(s);
    say_text("hostfile", s->hostfile);
    say_text("hosts", s->host);
    say_text("manager", s->manager);
    say_text("launcher", s->launcher);
    say_text("prefix-dir", s->tree);
    say_text("settings", s->settings);
    say_number("timeout", s->timeout_s, 0);
    if (s->usize)
        say_number("universe", s->universe, -1);
    say_number("survives", s->survive, 0);
    say("\n");
}

/* Cuts a line into words, in place: quotes hold blanks, '<' ends the line. */
static void cut_words(char *line, char **words, int most)
{
    int n = 0;

    for (char *at = line + strspn(line, " "); *at && *at != '<' && n < most;
         at += strspn(at, " ")) {
        char end = *at == '"' ? '"' : ' ';
        words[n++] = at += end == '"';
        at += strcspn(at, end == '"' ? "\"" : " ");
        if (*at)
            *at++ = '\0';
    }
    words[n] = NULL;
}

/* "$PWD/prog" becomes "/pwd/prog", as long. */
static void set_directory(char *line)
{
    for (char *at = line; (at = strstr(at, "$PWD"));)
        memcpy(at, "/pwd", 4);
}

static void answer_line(const char *line)
{
    static const char *const actions[] = { NULL, "help", "version", "help-settings", "jobs" };
    char copy[1024], why[512] = "", *words[64], **word = words;
    struct pm_spec s = { 0 };

    (void) snprintf(copy, sizeof copy, "%s", line);
    set_directory(copy);
    cut_words(copy, words, 63);
    for (; *word && strchr(*word, '='); word++)
        (void) putenv(*word);
    used = 0;
    int err = *word ? pm_parse(&s, word + 1, why, sizeof why, warn) : -EINVAL;
    if (!err && s.action == PM_RUN)
        err = pm_find_hosts(&s, why, sizeof why);
    if (err)
        say("    refused: %s\n", why);
    else if (s.action != PM_RUN)
        say("    %s\n", actions[s.action]);
    else
        say_job(&s);
    pm_spec_free(&s);
    for (; word > words; word--)
        (void) unsetenv(strtok(word[-1], "="));
}

/* Compares an entry, whose expected lines follow its first one. */
static int check_entry(const char *line, const char *expected)
{
    answer_line(line);
    if (!strcmp(answer, expected))
        return 0;
    printf("%s\n%s", line, answer);
    return 1;
}

int main(int argc, char **argv)
{
    char line[1024], entry[1024] = "", expected[sizeof answer] = "";
    int wrong = 0;

    if (argc != 2 || chdir(argv[1]) || setenv("HYDRA_RMK", "user", 1))
        return 2;
    FILE *f = fopen("lines.txt", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (*line == ' ' && strlen(expected) + strlen(line) < sizeof expected) {
            strcat(expected, line);
        } else if (*line != '#') {
            if (*entry)
                wrong += check_entry(entry, expected);
            line[strcspn(line, "\n")] = *expected = '\0';
            strcpy(entry, line);
        }
    }
    if (*entry)
        wrong += check_entry(entry, expected);
    return !f || wrong;
}
