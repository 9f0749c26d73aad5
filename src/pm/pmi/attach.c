/* attach.c — a process that no launcher has started starts one when it first needs it: the mpiexec
 * beside the library.
 *
 * Its first job is one process that stands in for this one: it passes on its PMI socket, by the
 * socket that is its standard input, and then waits until this process closes that one, or ends. So
 * this process is a rank for mpiexec as any other, whatever thread it has spawned from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmi_stand_in.h"

enum { TRIES = 6 }; /* of 10 s */

static int lease = -1; /* the socket; mpiexec goes on while it is open */

/* mpiexec is in the same directory in a build, and in that of programs when it is installed. */
static int find_mpiexec(char path[OS_PATH])
{
    static const char code[] = "mpiexec";

    if (os_beside(code, code, path) && !access(path, X_OK))
        return 0;
    if (!os_beside(code, STARLING_MPIEXEC, path))
        return pmi_fail(-ENAMETOOLONG, "the path of the library is not known, or too long");
    if (!access(path, X_OK))
        return 0;
    return pmi_fail(-errno,
                    "no launcher has started this process, and there is none beside the library: "
                    "%.300s: %s",
                    path, strerror(errno));
}

/* Without the hosts of an allocation: the process that stands in must be here. */
static int start_mpiexec(char *path)
{
    char *argv[] = { path, "-rmk", "none", "-n", "1", path, PMI_STAND_IN_ARGUMENT, NULL };
    int fd[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
        return pmi_fail(-errno, "a socket for %.300s: %s", path, strerror(errno));
    lease = os_new_fd(fd[0]);
    int input = os_new_fd(fd[1]);
    int err = lease < 0 ? lease : input < 0 ? input : os_start_apart(path, argv, input);
    if (input >= 0)
        (void) close(input);
    return err ? pmi_fail(err, "%.300s could not be started: %s", path, strerror(-err)) : 0;
}

static int take_socket(const char *path)
{
    int fd = -ETIMEDOUT;

    for (int i = 0; i < TRIES && fd == -ETIMEDOUT; i++) /* the machine may be busy */
        fd = os_fd_receive(lease);
    if (fd == -ETIMEDOUT)
        return pmi_fail(fd, "%.300s does not answer", path);
    if (fd < 0)
        return pmi_fail(fd,
                        "%.300s has ended before it was connected; it may have said why on "
                        "standard error",
                        path);
    pmi_client.fd = fd;
    (void) snprintf(pmi_client.launcher, sizeof pmi_client.launcher, "%.300s", path);
    return 0;
}

static int join_mpiexec(void)
{
    char settings[4096];
    struct pmi_job job;

    pmi_client.reply_timeout_ms = PMI_FIRST_REPLY_MS;
    int err = pmi_negotiate(&job), calls = pmi_calls_take();
    pmi_client.reply_timeout_ms = -1;
    if (calls >= 0) /* this process has begun already */
        (void) close(calls);
    if (err)
        return err;
    pmi_client.state = PMI_JOINED;
    return pmi_settings(settings, sizeof settings);
}

static void lease_close(void)
{
    if (lease >= 0)
        (void) close(lease);
    lease = -1;
}

static int attach_failed(int err)
{
    if (pmi_client.fd >= 0)
        (void) close(pmi_client.fd);
    pmi_client = (struct pmi_client) { .state = PMI_SINGLETON, .fd = -1, .calls = -1 };
    lease_close();
    return err;
}

int pmi_attach(void)
{
    static bool in_children;
    char path[OS_PATH];

    if (pmi_client.state != PMI_SINGLETON)
        return pmi_check_joined();
    if (!in_children) /* a copy in a child of fork() would outlive this process */
        os_in_children(lease_close);
    in_children = true;
    int err = find_mpiexec(path);
    if (!err)
        err = start_mpiexec(path);
    if (!err)
        err = take_socket(path);
    if (!err)
        err = join_mpiexec();
    return err ? attach_failed(err) : 0;
}

/* What mpiexec has started goes on. Its own end is no error here. */
void pmi_detach(void)
{
    if (pmi_client.state == PMI_JOINED)
        (void) pmi_finalize();
    lease_close();
}
