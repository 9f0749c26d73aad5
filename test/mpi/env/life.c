/* life.c — E05: the calls that are allowed before MPI_Init and after MPI_Finalize, and what the
 * library then reports; X03: the thread level.
 *
 * Open MPI 4.1 fails: its version's length counts the null. */
#include <string.h>
#include <mpi.h>
#include <stdio.h>

static int failed(int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", __FILE__, line, what);
    return 1;
}

/* CHECK aborts through MPI, which is not always available here. */
#define EXPECT(x)                                                                                  \
    do {                                                                                           \
        if (!(x))                                                                                  \
            return failed(__LINE__, #x);                                                           \
    } while (0)

static int any_time(int initialized, int finalized)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int flag = -1, version = 0, subversion = -1, len = -1;

    EXPECT(MPI_Initialized(&flag) == MPI_SUCCESS && flag == initialized);
    EXPECT(MPI_Finalized(&flag) == MPI_SUCCESS && flag == finalized);
    EXPECT(MPI_Get_version(&version, &subversion) == MPI_SUCCESS);
    EXPECT(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    EXPECT(MPI_Get_library_version(text, &len) == MPI_SUCCESS);
    EXPECT(len > 0 && len < MPI_MAX_LIBRARY_VERSION_STRING && (int) strlen(text) == len);
    return 0;
}

int main(int argc, char **argv)
{
    int provided = -1, queried = -2, main_thread = 0;

    if (any_time(0, 0))
        return 1;
    EXPECT(MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    EXPECT(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    EXPECT(MPI_Query_thread(&queried) == MPI_SUCCESS && queried == provided);
    EXPECT(MPI_Is_thread_main(&main_thread) == MPI_SUCCESS && main_thread);
    if (any_time(1, 0))
        return 1;
    MPI_Finalize();
    return any_time(1, 1);
}
