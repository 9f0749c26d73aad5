/* names.c — does what its arguments say (names_test.py), and prints what MPI answers: pNAME=PORT
 * publishes, uNAME takes back, lNAME looks up; rN: rank N alone does the next; b: a barrier; w:
 * waits for the end of its input. */
#include <unistd.h>
#include "mpitest.h"

static void say(int rank, const char *word, int code, const char *port)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int errclass, len;

    MPI_Error_class(code, &errclass);
    if (code)
        MPI_Error_string(code, text, &len);
    printf("%d %s: %s%s%s\n", rank, word,
           errclass == MPI_ERR_SERVICE ? "SERVICE "
           : errclass == MPI_ERR_NAME  ? "NAME "
           : code                      ? "other "
                                       : "",
           text, code ? "" : port);
    fflush(stdout);
}

static void act(int rank, char *word)
{
    char port[MPI_MAX_PORT_NAME] = "", copy[1000];
    char *value = strchr(word, '=');

    snprintf(copy, sizeof copy, "%s", word);
    if (value)
        *value++ = '\0';
    switch (word[0]) {
    case 'p':
        say(rank, copy, MPI_Publish_name(word + 1, MPI_INFO_NULL, value), "done");
        break;
    case 'u':
        say(rank, copy, MPI_Unpublish_name(word + 1, MPI_INFO_NULL, "not looked at"), "done");
        break;
    case 'l':
        CHECK(!MPI_Lookup_name(word + 1, MPI_INFO_NULL, port) || !*port);
        say(rank, copy, MPI_Lookup_name(word + 1, MPI_INFO_NULL, port), port);
        break;
    case 'b':
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case 'w':
        while (read(STDIN_FILENO, copy, sizeof copy) > 0)
            continue;
        break;
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == 'r' && atoi(argv[i] + 1) != rank)
            i++;
        else
            act(rank, argv[i]);
    }
    MPI_Finalize();
    return 0;
}
