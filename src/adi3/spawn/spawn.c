/* spawn.c — starts processes by the launcher, and waits until the first of them connects.
 *
 * The new job gets the name of a port as a value that the launcher hands on, and its process 0
 * connects to that port in MPI_Init. The launcher's answer may come before or after: it tells which
 * processes could not be started. */
#include <errno.h>
#include <stdlib.h>
#include "adi3/adi3_spawn.h"
#include "adi3/progress/progress.h"
#include "platform/os.h"
#include "pm/pmi/pmi.h"

enum { PATIENCE_S = 5 }; /* before the user is told what this process waits for */

#define PARENT_PORT "PARENT_ROOT_PORT_NAME" /* as other implementations call it */
static const uint64_t SECOND_NS = 1000000000;

/* ---- the request ----------------------------------------------------------------------------- */

static int count_infos(const struct adi3_spawn_request *r)
{
    int n = 0;

    for (int i = 0; i < r->programs; i++)
        n += r->program[i].infos;
    return n;
}

static void fill_programs(const struct adi3_spawn_request *r, struct pmi_spawn_program *program,
                          struct pmi_pair *pair)
{
    for (int i = 0; i < r->programs; i++) {
        const struct adi3_spawn_program *p = &r->program[i];
        program[i] = (struct pmi_spawn_program) { p->command, p->argv, p->count, pair, p->infos };
        for (int k = 0; k < p->infos; k++)
            *pair++ = (struct pmi_pair) { p->info[k].key, p->info[k].value };
    }
}

/* Another thread's spawn has asked a launcher that answers one request after the other. */
static void launcher_wait(int fd)
{
    (void) fd;
    progress_pause();
}

static int launcher_ask(const struct adi3_spawn_request *r, const char *port,
                        struct pmi_spawn **spawn)
{
    struct pmi_spawn_program *program = calloc((size_t) r->programs, sizeof *program);
    struct pmi_pair *pair = calloc((size_t) count_infos(r) + 1, sizeof *pair);
    const struct pmi_pair preput = { PARENT_PORT, port };
    const struct pmi_spawn_request request = { program, r->programs, &preput, 1 };
    int err = MPI_SUCCESS;

    if (!program || !pair)
        err = adi3_no_memory("for a spawn of %d programs", r->programs);
    else
        fill_programs(r, program, pair);
    pmi_wait_hook = launcher_wait;
    if (!err && pmi_spawn_start(&request, spawn))
        err = adi3_error(MPI_ERR_SPAWN, "%s", pmi_error_text());
    free(program);
    free(pair);
    return err;
}

/* ---- until the new job calls MPI_Init -------------------------------------------------------- */

struct adi3_spawn {
    struct pmi_spawn *spawn;
    const char *command; /* the first one; while it is waited for */
    int seconds;         /* of the request */
    uint64_t since;      /* ns */
    bool over;           /* the launcher has answered */
    bool told;
};

static void tell_user(const struct adi3_spawn *s)
{
    int err = adi3_error(MPI_ERR_SPAWN,
                         s->over ? "rank %d waits in %s: '%.200s' runs, and has not called "
                                   "MPI_Init for %d s"
                                 : "rank %d waits in %s: the launcher has not started '%.200s' for "
                                   "%d s; it may wait for free slots",
                         adi3_job.rank, adi3_current.call, s->command, PATIENCE_S);

    if (adi3_warn)
        adi3_warn(adi3_error_text(err));
}

/* An error ends the wait. */
static int look_at_spawn(void *arg)
{
    struct adi3_spawn *s = arg;
    uint64_t waited = os_time_ns() - s->since;

    s->over = s->over || pmi_spawn_over(s->spawn);
    int lost = s->over ? pmi_spawn_lost(s->spawn) : 0;
    if (lost)
        return adi3_error(lost == -EINVAL ? MPI_ERR_INFO_VALUE : MPI_ERR_SPAWN, "%s",
                          pmi_error_text());
    if (s->seconds >= 0 && waited >= (uint64_t) s->seconds * SECOND_NS)
        return adi3_error(MPI_ERR_SPAWN, "'%.200s' %s within the timeout of %d s", s->command,
                          s->over ? "has not called MPI_Init" : "was not started", s->seconds);
    if (!s->told && waited >= PATIENCE_S * SECOND_NS) {
        s->told = true;
        tell_user(s);
    }
    return MPI_SUCCESS;
}

/* The launcher may answer later than the new job connects. A job that is connected runs, whatever
 * comes then. */
void adi3_spawn_end(struct adi3_spawn *s, bool connected, int *codes)
{
    unsigned pauses = 0;

    assert(adi3_lock_held());
    while (connected && !pmi_spawn_over(s->spawn))
        progress_pause_longer(&pauses);
    if (connected)
        (void) pmi_spawn_finish(s->spawn, codes);
    else
        pmi_spawn_abandon(s->spawn);
    free(s);
}

static int spawn_by_port(const struct adi3_spawn_request *r, const char *port, struct adi3_spawn *s,
                         struct adi3_port_link *link)
{
    const struct adi3_port_wait wait = { -1, pmi_fd(), look_at_spawn, s };
    int err = launcher_ask(r, port, &s->spawn);

    if (err) {
        free(s);
        return err;
    }
    err = adi3_port_accept(port, &wait, link);
    if (err)
        adi3_spawn_end(s, false, NULL);
    return err;
}

int adi3_spawn_begin(const struct adi3_spawn_request *r, struct adi3_spawn **spawn,
                     struct adi3_port_link *link)
{
    const struct adi3_port_options any = { NULL, 0 };
    const char *command = r->program->command;
    char port[MPI_MAX_PORT_NAME];

    assert(adi3_lock_held());
    if (adi3_job.singleton && pmi_attach())
        return adi3_error(MPI_ERR_SPAWN, "'%.200s' cannot be started: %s", command,
                          pmi_error_text());
    int err = adi3_port_open(&any, port);
    if (err)
        return err;
    struct adi3_spawn *s = malloc(sizeof *s);
    if (s) {
        *s = (struct adi3_spawn) { NULL, command, r->seconds, os_time_ns(), false, false };
        err = spawn_by_port(r, port, s, link);
    } else
        err = adi3_no_memory("for a spawn of '%.200s'", command);
    (void) adi3_port_close(port);
    if (!err)
        *spawn = s;
    return err;
}

/* ---- in the new job -------------------------------------------------------------------------- */

bool adi3_parent_port(char name[MPI_MAX_PORT_NAME])
{
    return !adi3_job.singleton && !pmi_preput(PARENT_PORT, name, MPI_MAX_PORT_NAME);
}
