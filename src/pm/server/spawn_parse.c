/* spawn_parse.c — reads a request for another job: texts "name=value", as in the blocks of PMI-1.
 *
 *     nprocs=2 execname=FILE totspawns=1 spawnssofar=1 argcnt=1 arg1=A
 *     preput_num=1 preput_key_0=K preput_val_0=V info_num=1 info_key_0=K info_val_0=V endcmd
 *     and those of pmi_spawn.h
 *
 * Numbered names come in the order of their numbers. Names that are not known are ignored. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_line.h"
#include "pm/pmi/pmi_spawn.h"
#include "pm/server/pm_server_impl.h"

enum { BLOCK_WORDS = 2 }; /* pointers of a block besides its arguments */

/* What a block has said of itself; -1: nothing. */
struct block {
    int processes, total, number, arguments, infos, preputs;
    const char *file;
};

static const struct block no_block = { -1, -1, -1, -1, -1, -1, NULL };

struct parser {
    struct pm_spawn *spawn;
    char **word;                /* where the next argument goes */
    struct pm_spawn_pair *info; /* where the next pair of info goes */
    struct block block;
    int arguments, infos, preputs, processes; /* so far; but for the last, of this block */
    const char *half; /* the list whose last key has no value yet; NULL: none */
    char **variable;  /* where the next one of the environment goes */
    char *text;
};

__attribute__((format(printf, 2, 3))) static bool parse_fail(struct parser *p, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(p->text, PM_SPAWN_WHY, fmt, args);
    va_end(args);
    pm_make_printable(p->text);
    return false;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool set_number(struct parser *p, int *to, const char *name, const char *value)
{
    if (*to >= 0)
        return parse_fail(p, "%s is given twice", name);
    if (pmi_parse_int(value, strlen(value), to) || *to < 0) {
        *to = -1;
        return parse_fail(p, "%s=%.40s is not a number", name, value);
    }
    return true;
}

/* Whether the name is this one with the next number behind it. */
static bool is_numbered(const char *name, const char *start, int number)
{
    char wanted[64];

    (void) snprintf(wanted, sizeof wanted, "%s%d", start, number);
    return !strcmp(name, wanted);
}

static bool add_argument(struct parser *p, const char *name, const char *value)
{
    if (!is_numbered(name, "arg", p->arguments + 1))
        return parse_fail(p, "%.40s comes where arg%d belongs", name, p->arguments + 1);
    *p->word++ = (char *) (uintptr_t) value;
    p->arguments++;
    return true;
}

/* A key, or the value behind it, of a list of pairs whose names begin with start. */
static bool add_pair(struct parser *p, const char *start, struct pm_spawn_pair *pair, int *count,
                     const char *field[2])
{
    char wanted[48];

    (void) snprintf(wanted, sizeof wanted, "%s%s", start, p->half ? "val_" : "key_");
    if (p->half && strcmp(p->half, start) != 0)
        return parse_fail(p, "%.40s comes where a value of %skey_ belongs", field[0], p->half);
    if (!is_numbered(field[0], wanted, *count))
        return parse_fail(p, "%.40s comes where %s%d belongs", field[0], wanted, *count);
    if (p->half)
        pair->value = field[1];
    else
        pair->key = field[1];
    *count += p->half != NULL;
    p->half = p->half ? NULL : start;
    return true;
}

static bool add_info(struct parser *p, const char *field[2])
{
    bool done = add_pair(p, "info_", p->info, &p->infos, field);

    p->info += done && !p->half;
    return done;
}

static bool add_preput(struct parser *p, const char *field[2])
{
    struct pm_spawn *s = p->spawn;
    struct pm_spawn_pair *pair = &s->preput[s->preputs];

    if (!add_pair(p, "preput_", pair, &p->preputs, field))
        return false;
    s->preputs += !p->half;
    if (!*pair->key || strlen(pair->key) > PMI_KEY_MAX)
        return parse_fail(p, "the key '%.40s' of a value is empty or too long", pair->key);
    if (pair->value && strlen(pair->value) > PM_VALUE_MAX)
        return parse_fail(p, "the value of the key %.63s is too long", pair->key);
    return true;
}

static bool starts_with(const char *name, const char *start)
{
    return !strncmp(name, start, strlen(start));
}

static void add_variable(struct parser *p, const char *value)
{
    p->spawn->environ = p->spawn->variables;
    if (strchr(value, '=') > value)
        *p->variable++ = (char *) (uintptr_t) value;
}

static bool add_field(struct parser *p, const char *field[2])
{
    const char *name = field[0], *value = field[1];
    struct block *b = &p->block;
    const struct {
        const char *name;
        int *to;
    } numbers[] = { { "nprocs", &b->processes },   { "totspawns", &b->total },
                    { "spawnssofar", &b->number }, { "argcnt", &b->arguments },
                    { "info_num", &b->infos },     { "preput_num", &b->preputs } };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(name, numbers[i].name))
            return set_number(p, numbers[i].to, name, value);
    if (!strcmp(name, PMI_SPAWN_LATER))
        p->spawn->later = true;
    if (!strcmp(name, PMI_SPAWN_CWD))
        p->spawn->cwd = value;
    if (!strcmp(name, PMI_SPAWN_ENV))
        add_variable(p, value);
    if (!strcmp(name, "execname")) {
        if (b->file)
            return parse_fail(p, "execname is given twice");
        b->file = value;
        return true;
    }
    if (starts_with(name, "info_"))
        return add_info(p, field);
    if (starts_with(name, "preput_"))
        return add_preput(p, field);
    return !starts_with(name, "arg") || add_argument(p, name, value);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void begin_block(struct parser *p)
{
    struct pm_spawn *s = p->spawn;
    struct pm_spawn_program *of = &s->program[s->programs++];

    of->argv = p->word++; /* the first word is the program, set at the end of the block */
    of->info = p->info;
    p->block = no_block;
    p->arguments = p->infos = p->preputs = 0;
}

static bool end_block(struct parser *p)
{
    struct pm_spawn *s = p->spawn;
    struct pm_spawn_program *of = &s->program[s->programs - 1];
    const struct block *b = &p->block;
    int number = (int) s->programs;

    if (p->half)
        return parse_fail(p, "a key has no value");
    if (!b->file || !*b->file)
        return parse_fail(p, "execname is missing");
    if (b->processes < 1)
        return parse_fail(p, "nprocs must be 1 or more");
    if (b->processes > PM_SPAWN_PROCESSES - p->processes)
        return parse_fail(p, "more than %d processes in one spawn", PM_SPAWN_PROCESSES);
    if (b->number != number)
        return parse_fail(p, "spawnssofar=%d in block %d", b->number, number);
    if ((b->arguments >= 0 && b->arguments != p->arguments)
        || (b->infos >= 0 && b->infos != p->infos) || (b->preputs >= 0 && b->preputs != p->preputs))
        return parse_fail(p,
                          "block %d has %d arguments, %d info keys and %d values, and says others",
                          number, p->arguments, p->infos, p->preputs);
    of->argv[0] = (char *) (uintptr_t) b->file;
    *p->word++ = NULL;
    of->maxprocs = b->processes;
    of->infos = (size_t) p->infos;
    p->processes += b->processes;
    return true;
}

/* Splits a text at its first '=', which becomes its end in `name`. */
static bool split_field(struct parser *p, const char *text, char name[48], const char **value)
{
    size_t len = strcspn(text, "=");

    if (!text[len])
        return parse_fail(p, "'%.40s' has no value", text);
    (void) snprintf(name, 48, "%.*s", (int) (len < 47 ? len : 47), text);
    *value = text + len + 1;
    return true;
}

static bool parse_all(struct parser *p, const char *bytes, size_t len)
{
    bool inside = false;
    char name[48];

    for (const char *at = bytes; at < bytes + len; at += strlen(at) + 1) {
        const char *value = "";
        if (!inside)
            begin_block(p);
        inside = strcmp(at, "endcmd") != 0;
        if (!inside && !end_block(p))
            return false;
        if (inside
            && !(split_field(p, at, name, &value)
                 && add_field(p, (const char *[]) { name, value })))
            return false;
    }
    if (inside || !p->spawn->programs || p->block.total != (int) p->spawn->programs)
        return parse_fail(p, "totspawns=%d, and there are %d blocks", p->block.total,
                          (int) p->spawn->programs);
    return true;
}

const char *pm_spawn_parse(const char *bytes, size_t len, struct pm_spawn *s,
                           char text[PM_SPAWN_WHY])
{
    size_t texts = 0, blocks = 1;

    *s = (struct pm_spawn) { .programs = 0 };
    if (!len || bytes[len - 1])
        return "the request is torn";
    for (const char *at = bytes; at < bytes + len; at += strlen(at) + 1, texts++)
        blocks += !strcmp(at, "endcmd");
    s->program = calloc(blocks, sizeof *s->program);
    s->words = calloc(texts + BLOCK_WORDS * blocks, sizeof *s->words);
    s->pairs = calloc(texts + 1, sizeof *s->pairs);
    s->preput = calloc(texts + 1, sizeof *s->preput);
    s->variables = calloc(texts + 1, sizeof *s->variables);
    if (!s->program || !s->words || !s->pairs || !s->preput || !s->variables)
        return "out of memory";
    struct parser p = {
        .spawn = s, .word = s->words, .info = s->pairs, .variable = s->variables, .text = text
    };
    return parse_all(&p, bytes, len) ? NULL : text;
}

void pm_spawn_free(struct pm_spawn *s)
{
    free(s->program);
    free(s->words);
    free(s->pairs);
    free(s->preput);
    free(s->variables);
}
