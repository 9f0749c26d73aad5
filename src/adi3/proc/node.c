/* node.c — the node's segment: memory that the processes of one job share on one node.
 *
 * It is one sparse memfd. Starling's mpiexec makes the memory and passes it over the PMI socket;
 * one of the processes makes the segment of it (elect.c). With other launchers the process that
 * binds the job's abstract socket first makes memory and segment, and passes its descriptor to the
 * others, which connect before the launcher's first barrier. No list of hosts is needed: only
 * processes in one network namespace of one kernel can connect, and mpiexec gives other memory to
 * processes that name another network namespace. Each process takes a slot. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include "adi3/proc/node_segment.h"

static const size_t per_process = 4u << 20, least_per_process = 256u << 10, for_guests = 256u << 20;

static struct segment *const own = &segment_own;
static int listener = -1;
static char job_name[NODE_NAME];
static bool own_barrier; /* see node_barrier_start() */
static int own_leader;
static uint64_t expected; /* barrier_entries of the segment when all processes are in the barrier */

const struct os_cpus *node_cpus(const struct dev_node *n, int index)
{
    return &node_slot_in(n, index)->cpus;
}

int node_leader(const struct dev_node *n)
{
    int leader = node_slot_in(n, 0)->rank;

    for (int i = 1; i < n->count; i++) {
        int rank = node_slot_in(n, i)->rank;
        leader = rank < leader ? rank : leader;
    }
    return leader;
}

uint64_t node_id_here(void)
{
    static uint64_t id;
    const uint64_t prime = 0x100000001b3; /* of FNV-1a */

    if (!id && os_boot_number() && os_network())
        id = ((os_boot_number() ^ os_network()) * prime ^ geteuid()) * prime;
    return id;
}

int adi3_node_cores(void) { return adi3_node.cores; }

int adi3_node_leader(void) { return own_leader; }

/* ---- joining --------------------------------------------------------------------------------- */

static int node_error(const char *what, int err)
{
    return adi3_error(MPI_ERR_OTHER, "node of job %s: %s: %s", job_name, what, strerror(-err));
}

static int make_segment(int size)
{
    struct segment_plan plan = { .job = job_name,
                                 .capacity = size < MAX_SLOTS ? (uint32_t) size : MAX_SLOTS,
                                 .ranks = (uint32_t) size,
                                 .each = per_process,
                                 .lent = for_guests };
    const char *what;
    int err = segment_make(own, &plan, &what);

    if (err == -EFBIG) { /* a limit on the size of files */
        plan.each = least_per_process;
        plan.lent = 0;
        err = segment_make(own, &plan, &what);
    }
    return err ? node_error(what, err) : MPI_SUCCESS;
}

static int map_segment(void)
{
    return segment_map(own, "the process that made the node's segment");
}

/* Joins the segment that is in the launcher's memory, or makes it there. */
static int share_segment(int size)
{
    int elected = segment_elect(own), err;

    if (elected < 0)
        return node_error("locking the launcher's memory", elected);
    if (!elected)
        return map_segment();
    err = make_segment(size);
    segment_elected(own);
    return err;
}

/* Gets the segment from the process that made it, which must be of the same user. */
static int find_segment(void)
{
    struct os_cred cred = { 0, 0 };
    int s = os_abstract_connect(job_name), err;

    if (s < 0)
        return node_error(
            "the name of the job's abstract socket is taken, and its owner does not answer", s);
    err = os_peer_cred(s, &cred);
    if (!err && cred.uid != geteuid()) {
        (void) close(s);
        return adi3_error(MPI_ERR_OTHER,
                          "node of job %s: process %d of user %u has the job's abstract socket, "
                          "which this user (%u) needs",
                          job_name, (int) cred.pid, (unsigned) cred.uid, (unsigned) geteuid());
    }
    if (!err)
        err = own->fd = os_fd_receive(s);
    (void) close(s);
    if (err < 0)
        return node_error("receiving the shared segment", err);
    return map_segment();
}

static int take_slot(int rank)
{
    struct node_head *head = own->head;
    uint32_t index = atomic_fetch_add(&head->count, 1);

    if (index >= own->capacity)
        return node_error("more processes than slots", -ENOSPC);
    struct node_slot *s = &head->slot[index];
    int err = os_reserve(own->fd, (size_t) ((char *) s - (char *) head), sizeof *s);
    if (!err)
        err = os_lock_byte(own->fd, index);
    if (err)
        return node_error("taking a slot", err);
    err = os_random(&s->wake, sizeof s->wake);
    if (err)
        return node_error("getting random bytes", err);
    s->rank = rank;
    s->pid = (int32_t) getpid();
    s->pid_namespace = os_pid_namespace();
    os_cpus_allowed(&s->cpus);
    atomic_store(&s->cpu, os_cpu());
    node_local_enter(rank, (int) index);
    adi3_node.index = (int) index;
    if (!os_membarrier_init())
        atomic_store(&head->fences, 1);
    return MPI_SUCCESS;
}

/* Makes a name that only this job of this user has, of safe characters: the launcher's name of the
 * job may have any. */
static void name_job(const struct pmi_job *job)
{
    uint64_t hash = 14695981039346656037u ^ geteuid();
    static const char prefix[] = "starling-";
    char *to = job_name + sizeof prefix - 1;

    memcpy(job_name, prefix, sizeof prefix);
    for (const char *s = job->name; *s; s++)
        hash = (hash ^ (unsigned char) *s) * 1099511628211u;
    if (job->singleton)
        hash ^= (uint64_t) getpid() << 32 ^ os_time_ns();
    node_write_hex(to, hash);
}

/* Gets memory from the launcher, the same for all processes of one network namespace and one user:
 * such processes can reach each other's abstract sockets and read each other's memory. */
static int ask_launcher(void)
{
    uint64_t network = os_network();

    return network ? pmi_memory(network << 32 | geteuid(), &own->fd) : -ENOENT;
}

/* Makes the segment, or gets it from the process that has. */
static int bind_name(int size)
{
    listener = os_abstract_listen(job_name);
    if (listener >= 0)
        return make_segment(size);
    return listener == -EADDRINUSE ? find_segment()
                                   : node_error("binding an abstract socket", listener);
}

int node_join(const struct pmi_job *job)
{
    bool alone = job->singleton || job->size == 1;
    int none = alone ? 0 : ask_launcher(), err;

    name_job(job);
    if (alone)
        err = make_segment(job->size);
    else if (none == -ENOENT)
        err = bind_name(job->size);
    else
        err = none ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : share_segment(job->size);
    if (!err)
        adi3_node.base = (char *) own->head;
    own_barrier = !job->singleton && pmi_was_told();
    if (!err)
        err = take_slot(job->rank);
    return err;
}

int node_expose(uint64_t *number) { return share_socket_add(own->fd, number); }

/* Passes the segment to one process that has connected. */
static int pass_segment(void)
{
    struct os_cred cred = { 0, 0 };
    int s = os_accept(listener);

    if (s == -EAGAIN || s == -ECONNABORTED)
        return MPI_SUCCESS;
    if (s < 0)
        return node_error("passing on the shared segment", s);
    if (!os_peer_cred(s, &cred) && cred.uid == geteuid())
        (void) os_fd_send(s, own->fd); /* the receiver reports a failure */
    (void) close(s);
    return MPI_SUCCESS;
}

/* ---- the barrier ----------------------------------------------------------------------------- */

/* Once a program of a rank has ended, the barriers of OpenPMIx's server (4.2) are not to be relied
 * on: the end of the old connection counts as a process that leaves a barrier, and where the server
 * hears of that end too early, it expects fewer processes from then on, or none at all. So when a
 * program follows another one in the same job, and all processes were on this node then, they
 * count themselves in the segment. */
int node_barrier_start(void)
{
    uint64_t size = (uint64_t) adi3_job.size;

    if (own_barrier)
        expected = (atomic_fetch_add(&own->head->barrier_entries, 1) / size + 1) * size;
    else if (pmi_barrier_start())
        return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text());
    return MPI_SUCCESS;
}

/* In our own barrier no process wakes another: a waiting process looks once a millisecond. */
int node_barrier_look(int ms, bool *over)
{
    struct pollfd p[2] = { { own_barrier ? -1 : pmi_fd(), POLLIN, 0 }, { listener, POLLIN, 0 } };

    *over = own_barrier && atomic_load(&own->head->barrier_entries) >= expected;
    if (!*over && poll(p, 2, own_barrier && ms ? 1 : ms) < 0)
        return errno == EINTR ? MPI_SUCCESS : node_error("waiting for the launcher", -errno);
    *over = *over || (p[0].revents && pmi_barrier_over());
    return p[1].revents ? pass_segment() : MPI_SUCCESS;
}

int node_barrier_finish(void)
{
    if (own_barrier || !pmi_barrier_finish())
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text());
}

int node_barrier(void)
{
    assert(adi3_lock_held());
    if (adi3_job.singleton)
        return MPI_SUCCESS;
    int err = node_barrier_start();
    for (bool over = !own_barrier && listener < 0; !err && !over;)
        err = node_barrier_look(-1, &over);
    if (!err)
        err = node_barrier_finish();
    return err;
}

void node_ready(void)
{
    const struct node_head *head = own->head;
    struct os_cpus all = { { 0 } };

    if (listener >= 0)
        (void) close(listener);
    listener = -1;
    adi3_node.count = (int) atomic_load(&head->count);
    adi3_node.fences = atomic_load(&head->fences);
    for (int i = 0; i < adi3_node.count; i++)
        os_cpus_join(&all, &head->slot[i].cpus);
    adi3_node.cores = os_cpus_count(&all);
    adi3_node.oversubscribed = adi3_node.count > adi3_node.cores;
    own_leader = node_leader(&adi3_node);
}

void node_leave(void)
{
    if (!own->head)
        return;
    atomic_store(&own->head->slot[adi3_node.index].state, NODE_ENDS);
    segment_unmap(own);
    os_place_end();
}
