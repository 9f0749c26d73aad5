/* job.c — joining the job and leaving it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3_impl.h"

static char hostname[256], forwarded[4096];
static bool joined;

static int launcher_error(void) { return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()); }

int adi3_join(void)
{
    if (joined)
        return MPI_SUCCESS;
    if (pmi_init(&adi3_job))
        return launcher_error();
    joined = true;
    if (adi3_job.singleton)
        return MPI_SUCCESS;
    os_die_with_parent(); /* the launcher may have started us through a shell */
    if (pmi_settings(forwarded, sizeof forwarded))
        forwarded[0] = '\0';
    return MPI_SUCCESS;
}

const char *adi3_forwarded(void) { return forwarded; }

const char *adi3_hostname(void)
{
    if (!*hostname)
        os_hostname(hostname, sizeof hostname);
    return hostname;
}

bool adi3_machine(char *name, size_t len) { return os_machine(name, len); }
size_t adi3_command_line(char *text, size_t len) { return os_command_line(text, len); }

void adi3_where(int *rank, int *size)
{
    struct pmi_job job = adi3_job;

    if (!joined)
        pmi_job_from_environment(&job);
    *rank = job.rank;
    *size = job.size;
}

int adi3_init(bool threads)
{
    int err = adi3_join();

    if (!err)
        err = check_init();
    if (!err)
        err = adi3_type_init();
    if (!err)
        err = proc_init(threads || adi3_async);
    if (!err)
        err = comm_init();
    if (!err)
        err = wtime_init();
    return err ? err : thread_init(threads);
}

/* All that was sent is with its receiver, as far as that lives. */
static void drain(void)
{
    struct adi3_wait w = { .on = NULL };
    struct ends e;

    ends_begin(&e);
    for (bool busy = true; busy;) {
        busy = proto_with_devices() > 0;
        for (struct adi3_request *r = NULL; !busy && (r = adi3_next(&adi3_requests, r));)
            busy = r->kind == ADI3_SEND && r->state != ADI3_DONE && r->state != ADI3_INIT;
        if (busy) {
            adi3_wait_turn(&w);
            ends_look(&e);
        }
    }
    adi3_wait_end(&w);
    ends_end(&e);
}

/* Dissemination: nobody leaves before all have drained, so that an end is never taken for a
 * loss. */
static void meet(void)
{
    enum { MEET_TAG = 0x1fffff01 };
    struct adi3_comm *c = &adi3_world;
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);

    for (int step = 1; step < c->size; step *= 2) {
        const struct adi3_exchange x = { .out = { NULL, 0, byte },
                                         .in = { NULL, 0, byte },
                                         .dest = (c->rank + step) % c->size,
                                         .source = (c->rank - step + c->size) % c->size,
                                         .sendtag = MEET_TAG,
                                         .recvtag = MEET_TAG };
        if (adi3_sendrecv(&x, c, ADI3_COLL, MPI_STATUS_IGNORE))
            return; /* somebody died; the launcher tells whom */
    }
}

int adi3_finalize(void)
{
    struct adi3_request *next;

    thread_finalize();
    mismatch_finalizing(true);
    drain();
    meet();
    drain();
    mismatch_finalizing(false);
    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (r->state == ADI3_STARTED && r->kind == ADI3_RECV)
            match_unpost(r->queue, &r->posted);
        if (r->kind == ADI3_MESSAGE)
            probe_drop(r);
        if (r->kind == ADI3_GENERALIZED)
            free(r->users);
        request_free(r);
    }
    bsend_finalize();
    noncontig_finalize();
    comm_finalize();
    unexpected_finalize();
    adi3_type_finalize();
    progress_finalize();
    proc_finalize();
    adi3_pools_free();
    return adi3_job.singleton || !pmi_finalize() ? MPI_SUCCESS : launcher_error();
}

/* What the program has printed is not lost; but nobody waits for a thread that prints just now. */
static void flush_output(void)
{
    if (ftrylockfile(stdout))
        return;
    (void) fflush(stdout);
    funlockfile(stdout);
}

void adi3_abort(int exit_code, const char *why)
{
    flush_output();
    if (joined && !adi3_job.singleton)
        pmi_abort(exit_code, why);
    _exit(exit_code && exit_code % 256 == 0 ? 1 : exit_code); /* the parent sees 8 bits of it */
}

int adi3_appnum(int *appnum)
{
    return adi3_job.singleton || pmi_appnum(appnum) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int adi3_program(char *text, size_t len)
{
    return adi3_job.singleton || pmi_program(text, len) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int adi3_universe_size(int *universe)
{
    return adi3_job.singleton || pmi_universe_size(universe) ? MPI_ERR_OTHER : MPI_SUCCESS;
}
