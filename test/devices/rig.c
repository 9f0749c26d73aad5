/* rig.c — forks the processes of a device test and does in each what ADI3 would do for the
 * device. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "rig.h"
#include "platform/setting.h"
#include "traffic.h"

struct rig rig;
static const struct dev_ops *outer; /* wraps a module once that is loaded */

static const struct dev_ops *named(const char *name, size_t len)
{
    for (int i = 0; dev_table[i]; i++)
        if (strlen(dev_table[i]->name) == len && !strncmp(dev_table[i]->name, name, len))
            return dev_table[i];
    (void) fprintf(stderr, "no device '%s' in this build\n", name);
    exit(2);
}

const struct dev_ops *rig_device(const char *name)
{
    const char *inner = rig_inner(name);
    const struct dev_ops *dev = named(inner, strlen(inner));

    if (inner == name)
        return dev;
    const struct dev_ops *around = named(name, (size_t) (inner - name) - 1);
    if (!dev->load)
        return around->wrap(dev);
    outer = around;
    return dev;
}

const char *rig_inner(const char *name)
{
    const char *colon = strchr(name, ':');

    return colon ? colon + 1 : name;
}

/* ---- struct dev_node ---- */

static _Atomic uint32_t *asleep(const struct dev_node *n, int index)
{
    (void) n;
    return &rig.shared->asleep[index];
}

/* Processes sleep only in poll(2). */
static void wake(const struct dev_node *n, int index) { (void) n, (void) index; }
static void wake_all(const struct dev_node *n) { (void) n; }

static bool alive(const struct dev_node *n, int index)
{
    (void) n;
    return atomic_load(&rig.shared->alive[index]);
}

static size_t take(const struct dev_node *n, size_t len, const char **why)
{
    (void) n;
    size_t whole = (len + OS_LINE - 1) / OS_LINE * OS_LINE;
    size_t at = atomic_fetch_add(&rig.shared->taken, whole);

    *why = "the rig has no more memory";
    return at + whole <= RIG_MEMORY ? at : 0;
}

/* ---- one process ---- */

static struct dev_peer *peer_here(int index) { return rig_peer(index); }

const struct dev_job *rig_job(uint64_t id)
{
    return id == RIG_JOB ? &rig.job : id == RIG_OTHER_JOB ? &rig.other_job : NULL;
}

/* Of the other job there is one process that can be reached, and at no address. */
struct dev_peer *rig_peer_of(const struct dev_job *job, int rank)
{
    static struct dev_peer other;

    if (job == &rig.job)
        return rig_peer(rank);
    if (rank != 0)
        return NULL;
    if (!other.job) {
        other =
            (struct dev_peer) { .job = job, .local = -1, .endpoint = rig.peer[rig.rank].endpoint };
        CHECK(!rig.dev->add_peer(&other));
    }
    return &other;
}

static const struct dev_upcalls upcalls = {
    .recv = traffic_recv,
    .recv_begin = traffic_recv_begin,
    .recv_end = traffic_recv_end,
    .peer_lost = traffic_peer_lost,
    .job = rig_job,
    .peer = rig_peer_of,
    .peer_here = peer_here,
};

/* For devices that do not notice by themselves when a peer ends. ADI3 does it only for peers
 * that are waited for, and less often. */
static void watch_all(void)
{
    for (int i = 0; i < rig.size && rig.dev->watch; i++)
        if (rig.added[i] && rig.peer[i].priv)
            rig.dev->watch(&rig.peer[i]);
}

bool rig_poll(void)
{
    if (rig_poll_device())
        return true;
    if (rig.watches)
        watch_all();
    int fd = rig.sleepy && rig.dev->wait_fd ? rig.dev->wait_fd() : -1;
    if (fd >= 0 && rig.dev->may_sleep && !rig.dev->may_sleep())
        return true;
    if (fd >= 0) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        rig.sleeps_timed_out += poll(&p, 1, 500) == 0;
    } else {
        os_yield();
    }
    return false;
}

/* Never sleeps, because a counter in shared memory wakes no process. */
void rig_barrier(void)
{
    uint32_t size = (uint32_t) rig.size, before = atomic_fetch_add(&rig.shared->arrived, 1);
    uint32_t all = before / size * size + size;

    while (atomic_load(&rig.shared->arrived) < all) {
        (void) rig_poll_device();
        os_yield();
    }
}

struct dev_peer *rig_peer(int rank)
{
    if (rank < 0 || rank >= rig.size)
        return NULL;
    if (!rig.added[rank]) {
        CHECK(rig.dev->cost(&rig.peer[rank]) >= 0);
        rig.added[rank] = true;
        CHECK(rig.dev->add_peer(&rig.peer[rank]) == 0);
    }
    return &rig.peer[rank];
}

void rig_del_peer(int rank)
{
    if (rig.added[rank])
        rig.dev->del_peer(&rig.peer[rank]);
    rig.added[rank] = false;
}

static void set_env(const struct rig_plan *plan)
{
    rig.node = (struct dev_node) {
        .base = (char *) rig.shared,
        .index = plan->apart ? 0 : rig.rank,
        .count = plan->apart ? 1 : rig.size,
        .fences = !os_membarrier_init(),
        .asleep = asleep,
        .wake = wake,
        .wake_all = wake_all,
        .alive = alive,
        .take = take,
    };
    rig.env = (struct dev_env) { .up = plan->up ? plan->up : &upcalls,
                                 .job = &rig.job,
                                 .rank = rig.rank,
                                 .node = &rig.node,
                                 .peer_timeout_s = RIG_PEER_TIMEOUT_S,
                                 .at_once = rig.rank % 2 ? RIG_AT_ONCE : 0 };
    rig.job = (struct dev_job) { .id = RIG_JOB, .size = rig.size };
    memset(rig.job.secret, 0x5a, sizeof rig.job.secret);
    rig.other_job = (struct dev_job) { .id = RIG_OTHER_JOB, .size = 3 };
    memset(rig.other_job.secret, 0xa5, sizeof rig.other_job.secret);
}

static void complain(const char *line) { (void) fprintf(stderr, "%s\n", line); }

static void load_settings(void)
{
    const struct setting *tables[16] = { NULL };
    int n = 0;

    for (int i = 0; dev_table[i]; i++)
        if (dev_table[i]->settings)
            tables[n++] = dev_table[i]->settings;
    setting_load(tables, NULL, NULL, complain);
}

/* A device that is a module: its functions stand for the front's. */
static void load_module(void)
{
    const char *why = NULL;

    if (!rig.dev->load)
        return;
    const struct dev_ops *ops = rig.dev->load(&why);
    if (!ops)
        (void) fprintf(stderr, "%s\n", why);
    CHECK(ops && ops->abi == DEV_ABI);
    rig.dev = outer ? outer->wrap(ops) : ops;
    rig.watches = true;
}

static void open_device(void)
{
    int err = rig.dev->open(&rig.env, rig.shared->endpoint[rig.rank]);

    if (err && rig.dev->why && rig.dev->why(NULL))
        (void) fprintf(stderr, "%s\n", rig.dev->why(NULL));
    CHECK(err == 0);
}

static void one_process(const struct rig_plan *plan)
{
    static char endpoints[RIG_MAX][DEV_ENDPOINT_MAX];

    set_env(plan);
    load_settings();
    if (plan->before)
        plan->before();
    traffic_reset();
    CHECK(rig.dev->query(&rig.limits) == 0);
    load_module();
    open_device();
    uint32_t all = (uint32_t) rig.size;
    for (atomic_fetch_add(&rig.shared->arrived, 1); atomic_load(&rig.shared->arrived) < all;)
        os_yield();
    for (int i = 0; i < rig.size; i++) {
        memcpy(endpoints[i], rig.shared->endpoint[i], DEV_ENDPOINT_MAX);
        if (plan->torn && i != rig.rank)
            relay_endpoint(i, endpoints[i]);
        bool here = !plan->apart || i == rig.rank;
        rig.peer[i] = (struct dev_peer) { .job = &rig.job,
                                          .rank = i,
                                          .local = (int16_t) (here ? i : -1),
                                          .node = here ? &rig.node : NULL,
                                          .endpoint = endpoints[i] };
    }
    plan->run();
    for (int i = 0; i < rig.size; i++)
        rig_del_peer(i);
    rig.dev->close();
    CHECK(traffic_idle());
}

/* ---- the parent ---- */

static bool check_status(const struct rig_plan *plan, int rank, int status)
{
    bool well =
        plan->ends_well ? plan->ends_well(rank, status) : WIFEXITED(status) && !WEXITSTATUS(status);

    if (!well)
        (void) fprintf(stderr, "%s %s: process %d of %d ended with status 0x%x\n", rig.dev->name,
                       plan->name, rank, plan->size, (unsigned) status);
    return well;
}

static void kill_all(const struct rig_plan *plan)
{
    for (int i = 0; i < plan->size; i++)
        if (rig.shared->pid[i])
            (void) kill(rig.shared->pid[i], SIGKILL);
}

static bool reap_one(const struct rig_plan *plan, int rank)
{
    int status;

    if (!rig.shared->pid[rank] || waitpid(rig.shared->pid[rank], &status, WNOHANG) <= 0)
        return true;
    atomic_store(&rig.shared->alive[rank], 0);
    rig.shared->pid[rank] = 0;
    return check_status(plan, rank, status);
}

static int running(const struct rig_plan *plan)
{
    int n = 0;

    for (int i = 0; i < plan->size; i++)
        n += rig.shared->pid[i] != 0;
    return n;
}

/* Waits for all. When one has failed, or time is over, the others are killed. */
static bool reap(const struct rig_plan *plan)
{
    uint64_t end = os_time_ns() + (plan->limit_ms ? plan->limit_ms : RIG_LIMIT_MS) * 1000000ull;

    while (running(plan)) {
        bool well = true;
        for (int i = 0; i < plan->size; i++)
            well &= reap_one(plan, i);
        if (os_time_ns() > end)
            (void) fprintf(stderr, "%s %s: takes too long\n", rig.dev->name, plan->name);
        if (!well || os_time_ns() > end) {
            kill_all(plan);
            for (int i = 0; i < plan->size; i++)
                if (rig.shared->pid[i])
                    (void) waitpid(rig.shared->pid[i], NULL, 0);
            return false;
        }
        os_sleep_ns(200000);
    }
    return true;
}

static void start_process(const struct rig_plan *plan, int rank)
{
    pid_t pid = fork();

    CHECK(pid >= 0);
    rig.shared->pid[rank] = pid ? pid : getpid(); /* in both: either may be the first to look */
    if (pid)
        return;
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    rig.rank = rank;
    one_process(plan);
    exit(0); /* with exit handlers: the leak checker is one */
}

bool rig_run(const struct dev_ops *dev, const struct rig_plan *plan)
{
    int fd = os_memfd("rig", RIG_MEMORY);

    CHECK(fd >= 0);
    rig = (struct rig) { .dev = dev, .size = plan->size, .shared = os_map(fd, RIG_MEMORY) };
    CHECK(rig.shared);
    (void) close(fd);
    atomic_store(&rig.shared->taken, (sizeof *rig.shared + OS_LINE - 1) / OS_LINE * OS_LINE);
    for (int i = 0; i < plan->size; i++)
        atomic_store(&rig.shared->alive[i], 1);
    if (plan->torn)
        relay_start(rig.shared, plan->size);
    for (int i = 0; i < plan->size; i++)
        start_process(plan, i);
    bool well = reap(plan);
    if (plan->torn) {
        (void) kill(rig.shared->relay, SIGKILL);
        (void) waitpid(rig.shared->relay, NULL, 0);
    }
    os_unmap(rig.shared, RIG_MEMORY);
    return well;
}
