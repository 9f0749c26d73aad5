/* cut.c — a cable is pulled: two processes in two network namespaces, joined by a veth
 * pair. A host that only computes is not dead; one that has become silent is, on both sides of the
 * cut.
 *
 * Exits with 77 (skipped) where namespaces or ip(8) cannot be had. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "rig.h"
#include "devices/sockets/sock_impl.h"
#include "traffic.h"

enum { MOVED = 1, READY = 2, CUT = 3, SKIP = 77 };

/* Runs ip(8); each argument is one word. */
static bool ip(const char *words)
{
    char text[200], *argv[20], *save;
    int n = 0, status = -1;

    CHECK(strlen(words) < sizeof text);
    memcpy(text, words, strlen(words) + 1);
    argv[n++] = "ip";
    for (char *w = strtok_r(text, " ", &save); w && n < 19; w = strtok_r(NULL, " ", &save))
        argv[n++] = w;
    argv[n] = NULL;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (!pid) {
        (void) execvp("ip", argv);
        _exit(127);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    return status == 0;
}

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool well = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t) strlen(text);

    if (fd >= 0)
        (void) close(fd);
    return well;
}

/* Enters a new network namespace, and a user namespace if that is needed for it. */
static bool enter(void)
{
    char map[40];
    int uid = (int) getuid();

    if (!uid)
        return !unshare(CLONE_NEWNET);
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
        return false;
    (void) snprintf(map, sizeof map, "0 %d 1", uid);
    return write_file("/proc/self/uid_map", map);
}

static void await(int flag, int value)
{
    while (atomic_load(&rig.shared->flag[flag]) != value)
        os_sleep_ns(1000000);
}

/* The kernel takes a moment to see that both ends are up. */
static void await_link(void)
{
    struct os_iface found;

    while (os_ifaces("", &found, 1) < 1)
        os_sleep_ns(1000000);
}

/* Rank 1 moves out, and takes its end of the cable along. */
static void move_out(void)
{
    char command[60];

    if (rig.rank == 1) {
        CHECK(!unshare(CLONE_NEWNET));
        atomic_store(&rig.shared->flag[MOVED], 1);
        await(READY, 1);
        CHECK(ip("addr add 10.99.0.2/24 dev v1") && ip("link set v1 up"));
        atomic_store(&rig.shared->flag[READY], 2);
    } else {
        await(MOVED, 1);
        (void) snprintf(command, sizeof command, "link set v1 netns %d", (int) rig.shared->pid[1]);
        CHECK(ip(command));
        atomic_store(&rig.shared->flag[READY], 1);
        await(READY, 2);
    }
    await_link();
}

static void poll_for(unsigned ms)
{
    for (uint64_t end = os_time_ns() + ms * 1000000ull; os_time_ns() < end;)
        (void) rig_poll();
}

/* The peer timeout is 1 s. Rank 1 does not poll for 5 s, with its window closed, and goes on;
 * then the cable is cut. */
static void cut(void)
{
    int other = 1 - rig.rank;

    rig.env.peer_timeout_s = 1;
    rig.sleepy = true;
    traffic_send(other, 100, SEND);
    RIG_WAIT(traffic_got(other) == 1);
    if (rig.rank == 0)
        traffic_send(1, (size_t) 64 << 20, SEND);
    else
        os_sleep_ns(5000000000u);
    RIG_WAIT(rig.rank == 0 ? !traffic_pending() : traffic_got(0) == 2);

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        poll_for(200);
        CHECK(ip("link set v0 down"));
        traffic_send(1, 1000, SEND); /* unacknowledged data here; rank 1 is only idle */
    }
    uint64_t start = os_time_ns();
    RIG_WAIT(traffic_lost(other));
    CHECK(traffic_lost_error(other) == -ETIMEDOUT);
    CHECK(rig.rank == 1 || os_time_ns() - start > 1000000000u);
    rig.sleepy = false;
    CHECK(traffic_idle());
}

int main(void)
{
    static const struct rig_plan plan = {
        .name = "cut", .size = 2, .apart = true, .before = move_out, .run = cut
    };

    if (!enter() || !ip("link add v0 type veth peer name v1") || !ip("addr add 10.99.0.1/24 dev v0")
        || !ip("link set v0 up"))
        return SKIP;
    return !rig_run(rig_device("sockets"), &plan);
}
