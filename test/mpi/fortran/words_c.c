/* words_c.c — functions of MPI that only compare what words.F90 passes them with what it
 * expects. */
#include <stdio.h>
#include <string.h>
#include "mpi.h"

enum { TEXT = 500 };

static char expected[TEXT], seen[TEXT];
static int failed;

void c_expect_(const char *text, size_t len);
void c_done_(void);

static void compare(void)
{
    if (strcmp(seen, expected) != 0) {
        printf("not so: C was to get '%s' and got '%s'\n", expected, seen);
        failed = 1;
    }
    seen[0] = '\0';
}

void c_expect_(const char *text, size_t len)
{
    compare(); /* with the call before this */
    (void) snprintf(expected, sizeof expected, "%.*s", (int) len, text);
}

void c_done_(void)
{
    compare();
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void add(const char *text, const char *behind)
{
    (void) strncat(seen, text, TEXT - strlen(seen) - 1);
    (void) strncat(seen, behind, TEXT - strlen(seen) - 1);
}

static void add_spawn(const char *command, char **argv, int maxprocs, const int *codes)
{
    char number[16];

    (void) snprintf(number, sizeof number, " %d", maxprocs);
    add(command, number);
    if (!argv)
        add(" null", "");
    for (; argv && *argv; argv++) {
        add(" [", *argv);
        add("]", "");
    }
    if (!codes)
        add(" ignored", "");
}

int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm *intercomm, int codes[])
{
    (void) root, (void) comm, (void) info;
    add_spawn(command, argv, maxprocs, codes);
    for (int i = 0; codes && i < maxprocs; i++)
        codes[i] = i;
    *intercomm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_spawn_multiple(int count, char *commands[], char **argvs[], const int maxprocs[],
                            const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *intercomm,
                            int codes[])
{
    int all = 0;

    (void) root, (void) comm, (void) infos;
    for (int i = 0; i < count; i++, all += maxprocs[i - 1]) {
        add(i ? ";" : "", "");
        add_spawn(commands[i], argvs ? argvs[i] : NULL, maxprocs[i], codes);
    }
    for (int i = 0; codes && i < all; i++)
        codes[i] = i;
    *intercomm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Open_port(MPI_Info info, char *port)
{
    (void) info;
    add("open", "");
    (void) strcpy(port, "a$port");
    return MPI_SUCCESS;
}

int MPI_Close_port(const char *port)
{
    add("close [", port);
    add("]", "");
    return MPI_SUCCESS;
}

int MPI_Publish_name(const char *service, MPI_Info info, const char *port)
{
    (void) info;
    add("publish ", service);
    add(" [", port);
    add("]", "");
    return MPI_SUCCESS;
}

int MPI_Lookup_name(const char *service, MPI_Info info, char *port)
{
    (void) info;
    add("lookup ", service);
    (void) strcpy(port, "port of it");
    return MPI_SUCCESS;
}
