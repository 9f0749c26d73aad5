/* algorithms.c — the tables of algorithms, the texts of their settings and the lists that tests are
 * made from name the same algorithms in the same order.
 *
 * usage: algorithms OPERATION=WORD,WORD,... ... with all operations that have a setting. Only for
 * Starling: it links the layers. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "mpi/coll/coll.h"

enum { ROOM = 256 };

static int failed;

static void check(const char *operation, const char *what, const char *is, const char *table)
{
    if (strcmp(is, table) == 0)
        return;
    (void) fprintf(stderr, "%s: %s has \"%s\", the table \"%s\"\n", operation, what, is, table);
    failed = 1;
}

static void join(const struct coll_algorithm *table, const char *between, char *text)
{
    *text = 0;
    for (const struct coll_algorithm *a = table; a->name; a++) {
        size_t len = strlen(text);
        (void) snprintf(text + len, ROOM - len, "%s%s", len ? between : "", a->name);
    }
}

/* What follows = in the argument OPERATION=...; "" without such an argument. */
static const char *argument(char **argv, const char *operation)
{
    size_t len = strlen(operation);

    for (; *argv; argv++)
        if (strncmp(*argv, operation, len) == 0 && (*argv)[len] == '=')
            return *argv + len + 1;
    return "";
}

int main(int argc, char **argv)
{
    int operations = 0;

    for (const struct setting *s = mpir_coll_settings; s->name; s++) {
        const char *end = strstr(s->name, "_ALGORITHM");
        char operation[ROOM], words[ROOM], text[ROOM];
        if (!end)
            continue;
        const struct coll_operation *o =
            (void *) ((char *) s->value - offsetof(struct coll_operation, word));
        (void) snprintf(operation, ROOM, "%.*s", (int) (end - s->name), s->name);
        join(o->table, ", ", words);
        (void) snprintf(text, ROOM, "auto, %.*s.", ROOM - 8, words);
        const char *doc = strstr(s->doc, "auto, ");
        check(operation, "the setting", doc ? doc : "", text);
        join(o->table, ",", words);
        check(operation, "the list of tests", argument(argv + 1, operation), words);
        operations++;
    }
    if (operations != argc - 1) {
        (void) fprintf(stderr, "%d operations have a setting, %d have tests\n", operations,
                       argc - 1);
        failed = 1;
    }
    return failed;
}
