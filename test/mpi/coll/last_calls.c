/* last_calls.c — collective calls that differ, the last ones of a communicator, while nobody waits
 * for them: MPI_Finalize says so, once, in rank 0. Only for Starling: other libraries say
 * nothing. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "coll_test.h"

enum { EARLIER = 20 };

static int one, all[8];

static void alone_bcast(MPI_Comm c, int rank)
{
    if (rank == 0)
        MPI_Bcast(&one, 1, MPI_INT, 0, c);
}

static void alone_scatter(MPI_Comm c, int rank)
{
    if (rank == 0)
        MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, 0, c);
}

static void alone_begun(MPI_Comm c, int rank)
{
    MPI_Request r;

    if (rank)
        return;
    MPI_Ibcast(&one, 1, MPI_INT, 0, c, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* All processes wait, and have an error when the second call returns: there is no more to say. */
static void waited_for(MPI_Comm c, int rank)
{
    int got;

    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    int err = MPI_Allreduce(&one, &got, 1, MPI_INT, rank ? MPI_MAX : MPI_MIN, c);
    CHECK(MPI_Barrier(c) || err);
}

static const struct mistake {
    const char *how;
    void (*differ)(MPI_Comm c, int rank); /* what is called then; NULL: nothing */
    int earlier, frees, others; /* barriers before it; MPI_Comm_free; communicators freed later */
    const char *says;           /* "": MPI_Finalize is silent */
} mistakes[] = {
    { "bcast", alone_bcast, 0, 0, 0,
      "rank 0 called MPI_Bcast(count=1, datatype=MPI_INT, root=0), while rank" },
    { "freed", alone_bcast, 1, 1, 0, "called nothing, as operation 2 of a communicator" },
    { "scatter", alone_scatter, EARLIER, 0, 0,
      "rank 0 called MPI_Scatter(sendcount=1, sendtype=MPI_INT, root=0), while rank" },
    { "begun", alone_begun, 0, 1, 0,
      "rank 0 called MPI_Ibcast(count=1, datatype=MPI_INT, root=0)" },
    { "forgotten", alone_bcast, 0, 1, 100, "have made different collective calls" },
    { "told", waited_for, 0, 0, 0, "" },
    { "told_freed", waited_for, 0, 1, 0, "" },
    { "right", NULL, EARLIER, 1, 100, "" },
};

static void make_calls(const struct mistake *m, MPI_Comm comm, int rank)
{
    MPI_Comm other;

    for (int i = 0; i < m->earlier; i++)
        MPI_Barrier(comm);
    if (m->differ)
        m->differ(comm, rank);
    if (m->frees)
        MPI_Comm_free(&comm);
    for (int i = 0; i < m->others; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
        MPI_Allreduce(&rank, &one, 1, MPI_INT, MPI_MAX, other);
        MPI_Comm_free(&other);
    }
}

/* What MPI_Finalize writes to standard error. */
static void finalize(char *text, size_t len)
{
    int shown = dup(STDERR_FILENO), file = memfd_create("said", MFD_CLOEXEC);

    dup2(file, STDERR_FILENO);
    MPI_Finalize();
    dup2(shown, STDERR_FILENO);
    ssize_t n = pread(file, text, len - 1, 0);
    text[n > 0 ? n : 0] = '\0';
}

int main(int argc, char **argv)
{
    const struct mistake *m = mistakes;
    char said[4096];
    MPI_Comm comm;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (argc > 1 && strcmp(m->how, argv[1]) != 0)
        m++;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_calls(m, comm, rank);
    finalize(said, sizeof said);
    const char *line = strchr(said, '\n');
    if (rank ? *said != '\0' : *m->says ? !strstr(said, m->says) || !line || line[1] : *said)
        return fprintf(stderr, "rank %d said '%s' instead of '%s'\n", rank, said, m->says), 1;
    return 0;
}
