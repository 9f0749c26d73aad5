/* part.c — E12: prints what a rank gets from its part of the command line: its rank, the number of
 * ranks, MPI_APPNUM, host, working directory, the variable PART, what comes on standard input, and
 * its arguments.
 *
 * Usage: part CODE [ARGUMENT...]    exits with CODE */
#include <unistd.h>
#include "mpitest.h"

static void read_input(char *text, size_t len)
{
    size_t n = fread(text, 1, len - 1, stdin);

    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

int main(int argc, char **argv)
{
    char dir[4096], host[256], input[256], line[8192];
    int rank, size, flag, *part;

    CHECK(argc > 1 && getcwd(dir, sizeof dir) && !gethostname(host, sizeof host));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &part, &flag);
    CHECK(flag);
    read_input(input, sizeof input);
    const char *variable = getenv("PART");
    int n = snprintf(line, sizeof line, "%d of %d, part %d on %s in %s: %s, '%s'", rank, size,
                     *part, host, dir, variable ? variable : "none", input);
    for (int i = 2; i < argc; i++)
        n += snprintf(line + n, sizeof line - (size_t) n, " %s", argv[i]);
    (void) printf("%s\n", line);
    MPI_Finalize();
    return atoi(argv[1]);
}
