/* depth.c — the cost of matching with long queues: depth.py runs it under callgrind and compares
 * the instructions per message of long queues with those of short ones.
 *
 * One process sends to itself: eager messages (the credit is set high enough), each posted or sent
 * before its partner, which come in reverse or in order. Usage: depth MOST */
#include <stdlib.h>
#include "marks.h"
#include "mpi.h"

enum { SHORT = 100, FEW = 32 };

static int *in;
static MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Request *request;
static const int out = 7;

static void one_send(int tag)
{
    MPI_Request r;

    MPI_Isend(&out, 1, MPI_INT, 0, tag, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* n receives wait for their messages; those that name a tag get them in reverse. */
static void posted(int n, int source, int any_tag)
{
    for (int i = 0; i < n; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, source, any_tag ? MPI_ANY_TAG : i, comm, &request[i]);
    for (int i = n - 1; i >= 0; i--)
        one_send(i);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

/* n messages wait for their receives, which come in reverse or take any. */
static void unexpected(int n, int source, int any_tag)
{
    for (int i = 0; i < n; i++)
        one_send(i);
    for (int i = n - 1; i >= 0; i--)
        MPI_Recv(&in[i], 1, MPI_INT, source, any_tag ? MPI_ANY_TAG : i, comm, MPI_STATUS_IGNORE);
}

static void run(void (*queue)(int, int, int), int most, const char *const name[2][4])
{
    for (int shape = 0; shape < 4; shape++) {
        int source = shape & 1 ? MPI_ANY_SOURCE : 0;
        mark_begin();
        for (int i = 0; i < most; i += SHORT)
            queue(SHORT, source, shape & 2);
        mark_end(name[0][shape]);
        mark_begin();
        queue(most, source, shape & 2);
        mark_end(name[1][shape]);
    }
}

/* A few receives at a time, with hints that exclude wildcards, and without. */
static void hinted(void)
{
    static const char *const name[] = { "unhinted", "hinted" };
    MPI_Info info;

    MPI_Info_create(&info);
    for (int promised = 0; promised < 2; promised++) {
        MPI_Info_set(info, "mpi_assert_no_any_tag", promised ? "true" : "false");
        MPI_Info_set(info, "mpi_assert_no_any_source", promised ? "true" : "false");
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
        posted(FEW, 0, 0);
        mark_begin();
        for (int i = 0; i < SHORT; i++)
            posted(FEW, 0, 0);
        mark_end(name[promised]);
        MPI_Comm_free(&comm);
    }
    comm = MPI_COMM_WORLD;
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const char *const posts[2][4] = {
        { "short posted", "short posted any_source", "short posted any_tag", "short posted any" },
        { "long posted", "long posted any_source", "long posted any_tag", "long posted any" }
    };
    static const char *const messages[2][4] = { { "short arrived", "short arrived any_source",
                                                  "short arrived any_tag", "short arrived any" },
                                                { "long arrived", "long arrived any_source",
                                                  "long arrived any_tag", "long arrived any" } };
    int most = argc > 1 ? atoi(argv[1]) : SHORT;

    MPI_Init(&argc, &argv);
    in = calloc((size_t) most, sizeof *in);
    request = malloc((size_t) most * sizeof *request);
    if (!in || !request)
        MPI_Abort(MPI_COMM_WORLD, 1);
    posted(SHORT, 0, 0);
    run(posted, most, posts);
    run(unexpected, most, messages);
    hinted();
    MPI_Finalize();
    free(in);
    free(request);
    return 0;
}
