/* introduce.c — processes of different jobs are introduced to each other: their business cards, and
 * the memory that they share on a node. */
#include <errno.h>
#include <string.h>
#include "adi3/comm/comm.h"
#include "adi3/connect/connect_impl.h"

_Static_assert((int) ADI3_BUSINESS_CARD == (int) PROC_BUSINESS_CARD, "src/mpi knows the size");

int connect_init(void (*end)(int exit_code, const char *why))
{
    int err = progress_source_add(&progress_share_socket);

    if (!err)
        err = links_init();
    if (!err)
        err = connected_init(end);
    return err;
}

int adi3_random(void *data, size_t len)
{
    return os_random(data, len) ? adi3_error(MPI_ERR_OTHER, "the system gives no random bytes")
                                : MPI_SUCCESS;
}

/* ---- jobs and business cards ----------------------------------------------------------------- */

static bool is_listed(const struct adi3_job_record *jobs, int n, uint64_t id)
{
    int i = 0;

    while (i < n && jobs[i].id != id)
        i++;
    return i < n;
}

int adi3_group_jobs(const struct adi3_group *g, struct adi3_job_record *jobs, int most)
{
    int n = 0;

    for (int i = 0; i < g->size && n <= most; i++) {
        const struct proc_job *job = proc_job_of_number(adi3_group_process(g, i));
        if (is_listed(jobs, n, job->dev.id))
            continue;
        if (n == most)
            return n + 1;
        jobs[n] = (struct adi3_job_record) { .id = job->dev.id,
                                             .size = job->dev.size,
                                             .credit = job->credit };
        memcpy(jobs[n].key, job->public_key, ADI3_KEY);
        (void) strncpy(jobs[n].name, proc_job_name(job), ADI3_JOB_NAME - 1);
        n++;
    }
    return n;
}

int adi3_own_business_card(struct adi3_business_card *card, uint64_t *memory)
{
    memset(card, 0, sizeof *card);
    card->name = (struct adi3_process_name) { proc_own_job.dev.id, adi3_job.rank, 0 };
    proc_open_others();
    int err = node_expose(memory);
    if (err) {
        *memory = 0;
        return adi3_error(MPI_ERR_OTHER, "offering the memory of this node: %s", strerror(-err));
    }
    progress_want(&progress_share_socket);
    proc_business_card_write(card->text, *memory);
    return MPI_SUCCESS;
}

void adi3_jobs_introduced(uint64_t memory)
{
    if (memory)
        share_socket_remove(memory);
    progress_share_socket_closed();
}

/* A job that has been known keeps its key: nothing else can take its place. */
static int check_known_key(const struct proc_job *known, const struct adi3_job_record *job)
{
    if (!memcmp(known->public_key, job->key, ADI3_KEY))
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "%s has another key than the one that this process knows",
                      proc_job_name(known));
}

int adi3_job_learn(const struct adi3_job_record *job)
{
    char name[ADI3_JOB_NAME];
    struct proc_job *made, known = { .dev = { .id = job->id, .size = job->size },
                                     .name = name,
                                     .credit = job->credit };

    memcpy(name, job->name, sizeof name);
    name[sizeof name - 1] = '\0';
    memcpy(known.public_key, job->key, ADI3_KEY);
    int err = keys_secret(&known);
    while ((made = proc_job_find(job->id)) && links_end(made))
        progress_pause();
    if (!err && made)
        err = check_known_key(made, job);
    if (!err)
        err = proc_job_learn(&known, &made);
    if (!err && made != &proc_own_job)
        proc_job_connects(made, true);
    return err;
}

static void connect_ends(struct proc_job *job, bool failed)
{
    proc_job_leaves(job, true);
    proc_job_connects(job, false);
    if (failed)
        links_leave_job(job);
    proc_job_leaves(job, false);
}

void adi3_job_learned(const struct adi3_job_record *record, bool failed)
{
    struct proc_job *job = proc_job_find(record->id);

    if (job && job != &proc_own_job)
        connect_ends(job, failed);
}

static struct adi3_proc *process_named(const struct adi3_process_name *name)
{
    const struct proc_job *job = proc_job_find(name->job);

    return job && name->rank >= 0 && name->rank < job->dev.size ? proc_at(job->first + name->rank)
                                                                : NULL;
}

int adi3_business_card_take(const struct adi3_business_card *card)
{
    const struct adi3_proc *p = process_named(&card->name);

    if (!p || card->text[ADI3_BUSINESS_CARD - 1])
        return adi3_error(MPI_ERR_OTHER,
                          "a business card of rank %d of job %016llx, which is not known",
                          (int) card->name.rank, (unsigned long long) card->name.job);
    return proc_business_card_give(p, card->text);
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Asks a process for the memory of its node: a descriptor, or a negative errno. */
static int fetch_memory(const struct adi3_proc *p)
{
    uint64_t share_socket, number;

    return proc_memory(p, &share_socket, &number) ? progress_fetch_shared(share_socket, number)
                                                  : -ECONNREFUSED;
}

/* Joins the memory of the node of one process, if that is this node and it has not been joined.
 * What two processes of one node cannot share they do not share in either direction: where nobody
 * answers, the peer is on another node or in another network namespace, and where another user
 * does, neither gets the memory. Anything else is an error: else one of them would go on alone. */
static int process_join_node(const struct adi3_process_name *name)
{
    const struct adi3_proc *p = process_named(name);
    struct proc_job *job = proc_job_find(name->job);
    char title[ADI3_TITLE];

    while (job && job->joining)
        progress_pause();
    if (!p || proc_node(p) || neighbor_known(job))
        return MPI_SUCCESS;
    job->joining = true;
    int fd = fetch_memory(p);
    job->joining = false;
    if (fd == -ECONNREFUSED || fd == -EACCES)
        return MPI_SUCCESS;
    if (fd < 0)
        return adi3_error(MPI_ERR_OTHER, "asking %s for the memory of its node: %s",
                          proc_title(p, title), strerror(-fd));
    return neighbor_join(job, fd);
}

int adi3_jobs_introduce(const struct adi3_business_card *business_cards, int n)
{
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    for (int i = 0; i < n && !err; i++)
        err = process_join_node(
            &business_cards[((unsigned) i + (unsigned) adi3_job.rank) % (unsigned) n].name);
    return err;
}

/* ---- the link between two leaders ------------------------------------------------------------ */

/* An end that has been closed may have said why before: so what has come is read first. */
int adi3_link_exchange(int link, const void *out, size_t out_len, void *in, size_t in_len)
{
    size_t sent = 0, got = 0;
    unsigned pauses = 0;
    ssize_t bad = 0;

    assert(adi3_lock_held());
    while ((sent < out_len && !bad) || got < in_len) {
        ssize_t n = bad ? 0 : os_send_some(link, (const char *) out + sent, out_len - sent);
        ssize_t m = os_receive_some(link, (char *) in + got, in_len - got);
        if (m < 0 || (n < 0 && got == in_len))
            return adi3_error(MPI_ERR_OTHER, "the connection to the other group: %s",
                              strerror((int) -(m < 0 ? m : n)));
        bad = n < 0 ? n : bad;
        sent += n > 0 ? (size_t) n : 0;
        got += (size_t) m;
        if (n <= 0 && !m)
            progress_pause_longer(&pauses);
    }
    return MPI_SUCCESS;
}
