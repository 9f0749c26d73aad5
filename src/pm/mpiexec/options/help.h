/* help.h — the help text behind the options: sections of paragraphs and of rows. */
#ifndef HELP_H
#define HELP_H

struct pm_help_row {
    const char *term; /* what the text is about; NULL: the text is a paragraph */
    const char *text; /* NULL: the end */
};

struct pm_help_section {
    const char *title; /* NULL: the end */
    const struct pm_help_row *row;
};

extern const struct pm_help_section pm_help_sections[]; /* help_texts.c */

#endif /* HELP_H */
