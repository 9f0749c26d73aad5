/* help.c — prints the help text, which is made from the table of options and from help_texts.c. The
 * manual and the completions of shells are made of what this prints. */
#include <stdio.h>
#include <string.h>
#include "pm/mpiexec/options/help.h"
#include "pm/mpiexec/options/option.h"

enum { MARGIN = 2, INDENT = 24, WIDTH = 79 };

/* Prints text from this column on, where the line is, without exceeding WIDTH. */
static void wrap_text(const char *text, size_t indent)
{
    size_t column = indent;

    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        if (column + 1 + n > WIDTH) {
            printf("\n%*s", (int) indent, "");
            column = indent;
        } else if (column > indent) {
            printf(" ");
            column++;
        }
        printf("%.*s", (int) n, text);
        column += n;
    }
    printf("\n");
}

/* Prints a text beside its term, of which used columns are printed, or below that. */
static void show_text(const char *text, size_t used)
{
    printf("%*s", used < INDENT - 1 ? INDENT - (int) used : 0, "");
    if (used >= INDENT - 1)
        printf("\n%*s", INDENT, "");
    wrap_text(text, INDENT);
}

static void show_option(const struct pm_option *o)
{
    size_t len = strcspn(o->names, " ");
    size_t used = MARGIN + 1 + len + (*o->params ? 1 + strlen(o->params) : 0);

    printf("%*s-%.*s%s%s", MARGIN, "", (int) len, o->names, *o->params ? " " : "", o->params);
    show_text(o->help, used);
    if (!o->names[len])
        return;
    printf("%*sAlso:", INDENT, "");
    for (const char *at = o->names + len; *at; at += len) {
        len = 1 + strcspn(at + 1, " ");
        printf(" -%.*s", (int) len - 1, at + 1);
    }
    printf("\n");
}

static void show_scope(enum pm_scope scope)
{
    for (const struct pm_option *o = pm_options; o->names; o++)
        if (o->help && o->scope == scope)
            show_option(o);
}

static void show_row(const struct pm_help_row *r)
{
    printf("%*s", MARGIN, "");
    if (!r->term) {
        wrap_text(r->text, MARGIN);
        return;
    }
    printf("%s", r->term);
    show_text(r->text, MARGIN + strlen(r->term));
}

static void show_section(const struct pm_help_section *s)
{
    printf("\n%s:\n", s->title);
    for (const struct pm_help_row *r = s->row; r->text; r++) {
        if (r > s->row && (!r->term || !r[-1].term))
            printf("\n");
        show_row(r);
    }
}

void pm_help(const struct pm_option *o)
{
    if (o && o->help) {
        show_option(o);
        return;
    }
    printf("Usage: mpiexec [options] program [arguments] [: [options] program [arguments]]...\n"
           "\nStarts the processes of an MPI job. An option may have one dash or two, "
           "and '='\nbefore its argument; '--' ends the options.\n"
           "\nOptions for the program that follows:\n");
    show_scope(PM_PROGRAM);
    printf("\nOptions for the whole job:\n");
    show_scope(PM_JOB);
    for (const struct pm_help_section *s = pm_help_sections; s->title; s++)
        show_section(s);
}
