/* spawn.c — MPI_Comm_spawn and MPI_Comm_spawn_multiple.
 *
 * Words lose the blanks at both ends, and an empty one ends a list of arguments (§10.3.1). What
 * only root has to give is looked at nowhere else: there it may be anything. */
#include "mpi/core/facts.h"
#include "mpi/fortran/handwritten.h"

/* Elements of an array of CHARACTER(len). */
struct words {
    const char *first;
    size_t len, step; /* bytes of a word, and from one to the next */
    size_t count;     /* 0: until the first empty one */
};

static const char *word_at(const struct words *w, size_t i, size_t *len)
{
    const char *word = w->first + i * w->step;

    *len = w->len;
    while (*len && word[*len - 1] == ' ')
        --*len;
    for (; *len && *word == ' '; word++)
        --*len;
    return word;
}

static size_t words_count(const struct words *w)
{
    size_t n = w->count, len = 1;

    for (; !w->count && (word_at(w, n, &len), len); n++)
        continue;
    return n;
}

/* A list as C has it, in one block, with NULL at its end. NULL: no memory. */
static char **words_list(const struct words *w)
{
    size_t n = words_count(w), len;
    char **list = malloc((n + 1) * sizeof *list + n * (w->len + 1));
    char *text = list ? (char *) (list + n + 1) : NULL;

    for (size_t i = 0; list && i < n; i++, text += w->len + 1) {
        const char *word = word_at(w, i, &len);
        list[i] = memcpy(text, word, len);
        text[len] = '\0';
    }
    if (list)
        list[n] = NULL;
    return list;
}

static bool is_root(const char *call, MPI_Fint comm, MPI_Fint root)
{
    struct mpir_comm_facts l;

    return MPIR_Comm_look(call, comm, &l) && l.rank == root;
}

int f_comm_spawn(F_CALL(MPI_Comm_spawn), char *command, char *argv, MPI_Fint *maxprocs,
                 MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm,
                 MPI_Fint *errcodes, size_t command_len, size_t argv_len)
{
    const struct words w = { argv, argv_len, argv_len, 0 };
    bool has_list = is_root("MPI_Comm_spawn", *comm, *root) && !f_is_argv_null(argv);
    char **list = has_list ? words_list(&w) : MPI_ARGV_NULL;
    struct f_text c_command;
    const char *name = f_text(&c_command, command, command_len, true);
    int err = call(has_list && !list ? NULL : name, list, *maxprocs, *info, *root, *comm, intercomm,
                   f_errcodes(errcodes)); /* without memory, a wrong argument */

    f_text_free(&c_command);
    free(list);
    return err;
}

static void free_lists(char ***lists, size_t n)
{
    for (size_t i = 0; lists && i < n; i++)
        free(lists[i]);
    free(lists);
}

/* The lists of an array (count, *): the words of one are the elements of a row. NULL: no memory. */
static char ***argument_lists(const char *argvs, size_t count, size_t len)
{
    char ***lists = calloc(count, sizeof *lists);
    size_t n = 0;

    for (bool made = lists; made && n < count; n += made) {
        const struct words w = { argvs + n * len, len, count * len, 0 };
        made = (lists[n] = words_list(&w));
    }
    if (n == count)
        return lists;
    free_lists(lists, n);
    return NULL;
}

int f_comm_spawn_multiple(F_CALL(MPI_Comm_spawn_multiple), MPI_Fint *count, char *commands,
                          char *argvs, MPI_Fint *maxprocs, MPI_Fint *infos, MPI_Fint *root,
                          MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes,
                          size_t commands_len, size_t argvs_len)
{
    bool looks = is_root("MPI_Comm_spawn_multiple", *comm, *root) && *count > 0;
    bool has_lists = looks && !f_is_argvs_null(argvs);
    size_t n = looks ? (size_t) *count : 0;
    const struct words w = { commands, commands_len, commands_len, n };
    char **names = looks ? words_list(&w) : NULL;
    char ***lists = has_lists ? argument_lists(argvs, n, argvs_len) : MPI_ARGVS_NULL;
    int err = call(*count, has_lists && !lists ? NULL : names, lists, maxprocs, infos, *root, *comm,
                   intercomm, f_errcodes(errcodes));

    free_lists(lists, n);
    free(names);
    return err;
}
