/* wtime.c — the clock of MPI_Wtime; with STARLING_WTIME_GLOBAL one for all processes.
 *
 * Processes of a node have one clock already. The first process of each node, and each process with
 * a time namespace of its own, measures: it asks rank 0 for its time again and again. Rank 0 reads
 * its clock between question and answer, so half of the shortest round trip bounds the error,
 * however different the ways there and back are. The other processes take the result of the first
 * one of their node. MPI_Finalize asks again, which shows how far the clocks have drifted apart.
 * They are not set again, since the time may never go back. */
#include <stdio.h>
#include <stdlib.h>
#include "adi3/clock/clock.h"
#include "adi3/p2p/p2p.h"

static bool wanted; /* the setting WTIME_GLOBAL */
int adi3_wtime_is_global;

const struct setting clock_settings[] = {
    { "WTIME_GLOBAL", SETTING_BOOL, &wanted, "no",
      "Whether MPI_Wtime is the same clock in all processes, that of rank 0: MPI_Init measures the "
      "clocks of other nodes, in a few ms each. STARLING_VERBOSE=1 shows how exact that is, and "
      "how far the clocks have drifted apart since. Must be the same in all processes." },
    { 0 }
};

enum { ROUNDS = 64 };

struct reading {    /* ns */
    int64_t offset; /* our time + offset is the time of rank 0 */
    int64_t error;  /* at most */
};

static struct reading measured;   /* how the clock of this process was set */
static uint64_t set_at;           /* ns */
static int *measurer, nmeasurers; /* at rank 0: the ranks that measure */
static bool measures;             /* this process does */

double adi3_wtime(void) { return os_wtime(); }
double adi3_wtick(void) { return os_wtick(); }

static int bytes_send(const void *bytes, size_t len, int to, int tag)
{
    const struct adi3_data d = { (void *) (uintptr_t) bytes, len, adi3_type_builtin(MPI_BYTE) };

    return adi3_send(&d, to, tag, &adi3_world, ADI3_COLL);
}

static int bytes_recv(void *bytes, size_t len, int from, int tag, MPI_Status *status)
{
    const struct adi3_data d = { bytes, len, adi3_type_builtin(MPI_BYTE) };

    return adi3_recv(&d, from, tag, &adi3_world, ADI3_COLL, status);
}

/* ---- questions and answers ------------------------------------------------------------------- */

/* Measures. Only the shortest round counts: the first one is slow, as it makes a connection. */
static int offset_measure(struct reading *r)
{
    *r = (struct reading) { .error = INT64_MAX };
    for (int i = 0; i < ROUNDS; i++) {
        int64_t there, begin = (int64_t) os_time_ns();
        int err = bytes_send(NULL, 0, 0, ADI3_TAG_CLOCK_QUESTION);
        if (!err)
            err = bytes_recv(&there, sizeof there, 0, ADI3_TAG_CLOCK_ANSWER, MPI_STATUS_IGNORE);
        if (err)
            return err;
        int64_t end = (int64_t) os_time_ns(), error = (end - begin + 1) / 2;
        if (error < r->error)
            *r = (struct reading) { there - (begin + error), error };
    }
    return bytes_send(r, sizeof *r, 0, ADI3_TAG_CLOCK_RESULT);
}

/* Rank 0 answers a process that measures, and receives its reading. *rank: the process; or
 * MPI_ANY_SOURCE, then set to the next process that measures. */
static int offset_answer(int *rank, struct reading *r)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Status status;
        int err = bytes_recv(NULL, 0, *rank, ADI3_TAG_CLOCK_QUESTION, &status);
        int64_t now = (int64_t) os_time_ns();
        if (err)
            return err;
        *rank = status.MPI_SOURCE;
        err = bytes_send(&now, sizeof now, *rank, ADI3_TAG_CLOCK_ANSWER);
        if (err)
            return err;
    }
    return bytes_recv(r, sizeof *r, *rank, ADI3_TAG_CLOCK_RESULT, MPI_STATUS_IGNORE);
}

/* ---- the processes that measure -------------------------------------------------------------- */

/* Broadcasts from the first process of the node to the others there. */
static int node_bcast_bytes(void *bytes, size_t len, int first, int tag)
{
    int err = MPI_SUCCESS;

    if (first != adi3_job.rank)
        return bytes_recv(bytes, len, first, tag, MPI_STATUS_IGNORE);
    for (int i = 0; i < adi3_node.count && !err; i++)
        if (i != adi3_node.index)
            err = bytes_send(bytes, len, node_rank(i), tag);
    return err;
}

/* Adds up the numbers of all processes, for rank 0. */
static int count_reduce(int *n)
{
    int rank = adi3_job.rank, other, err = MPI_SUCCESS;

    for (int step = 1; step < adi3_job.size && !err; step *= 2) {
        if (rank & step)
            return bytes_send(n, sizeof *n, rank - step, ADI3_TAG_CLOCK_COUNT);
        if (rank + step < adi3_job.size) {
            err = bytes_recv(&other, sizeof other, rank + step, ADI3_TAG_CLOCK_COUNT,
                             MPI_STATUS_IGNORE);
            *n += err ? 0 : other;
        }
    }
    return err;
}

/* The two largest errors: the clocks of two processes may differ by their sum. */
static int64_t largest[2];

static void note_error(int64_t error)
{
    if (error > largest[0]) {
        largest[1] = largest[0];
        largest[0] = error;
    } else if (error > largest[1]) {
        largest[1] = error;
    }
}

static int answer_all(int n)
{
    struct reading r;

    if (n && !(measurer = malloc((size_t) n * sizeof *measurer)))
        return adi3_no_memory("for the clocks of %d nodes", n);
    for (; nmeasurers < n; nmeasurers++) {
        measurer[nmeasurers] = MPI_ANY_SOURCE;
        int err = offset_answer(&measurer[nmeasurers], &r);
        if (err)
            return err;
        note_error(r.error);
    }
    return MPI_SUCCESS;
}

static int clocks_synchronize(void)
{
    int first = adi3_node_leader(), rank = adi3_job.rank;
    uint64_t own = os_clock_id(), clock = own;
    int err = node_bcast_bytes(&clock, sizeof clock, first, ADI3_TAG_CLOCK);

    if (err)
        return err;
    measures = rank && (first == rank || clock != own);
    int n = measures;
    err = count_reduce(&n);
    if (!err && rank == 0)
        err = answer_all(n);
    else if (!err && measures)
        err = offset_measure(&measured);
    if (err)
        return err;
    struct reading theirs = measured;
    err = node_bcast_bytes(&theirs, sizeof theirs, first, ADI3_TAG_CLOCK_OFFSET);
    if (!err && !measures)
        measured = theirs;
    return err;
}

int clock_init(void)
{
    int err = wanted && adi3_job.size > 1 ? clocks_synchronize() : MPI_SUCCESS;

    set_at = os_time_ns();
    os_wtime_offset = measured.offset;
    adi3_wtime_is_global = !err && wanted;
    return err;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Measures again: by how much the clocks have drifted apart, in ns. A process that is lost by then
 * is left out. */
static int64_t drift_measure(void)
{
    struct reading now, before;
    int64_t most[2] = { 0, 0 };

    if (measures) {
        before = measured;
        if (!offset_measure(&now))
            (void) bytes_send(&before, sizeof before, 0, ADI3_TAG_CLOCK_RESULT);
    }
    for (int i = 0; i < nmeasurers; i++) {
        if (offset_answer(&measurer[i], &now)
            || bytes_recv(&before, sizeof before, measurer[i], ADI3_TAG_CLOCK_RESULT,
                          MPI_STATUS_IGNORE))
            continue;
        note_error(now.error);
        int64_t by = now.offset - before.offset;
        most[0] = by < most[0] ? by : most[0];
        most[1] = by > most[1] ? by : most[1];
    }
    return most[1] - most[0];
}

bool adi3_wtime_report(char *text, size_t len)
{
    if (!adi3_wtime_is_global)
        return false;
    double seconds = (double) (os_time_ns() - set_at) * 1e-9;
    double error = (double) (largest[0] + largest[1]) * 1e-3;
    largest[0] = largest[1] = 0;
    double by = (double) drift_measure() * 1e-3;
    double doubt = error + (double) (largest[0] + largest[1]) * 1e-3;
    int at = snprintf(text, len, "MPI_Wtime is global: clocks: %d", nmeasurers + 1);
    if (nmeasurers && at > 0 && (size_t) at < len)
        (void) snprintf(text + at, len - (size_t) at,
                        ", of which two differed by %.1f us at most, and have drifted apart by "
                        "%.1f us in %.1f s, give or take %.1f us",
                        error, by, seconds, doubt);
    free(measurer);
    measurer = NULL;
    nmeasurers = 0;
    return adi3_verbose >= 1 && adi3_job.rank == 0;
}
