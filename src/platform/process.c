/* process.c — memory of other processes, properties of this process and host, and descriptors. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "platform/os.h"

/* Removes the first bytes of the list. */
static void iov_skip_bytes(struct os_iov *p, size_t bytes)
{
    for (; p->n && bytes >= p->v->iov_len; p->v++, p->n--)
        bytes -= p->v->iov_len;
    if (p->n) {
        p->v->iov_base = (char *) p->v->iov_base + bytes;
        p->v->iov_len -= bytes;
    }
}

typedef ssize_t cma_call(pid_t pid, const struct iovec *local, unsigned long locals,
                         const struct iovec *remote, unsigned long remotes, unsigned long flags);

static int cma_transfer(cma_call *call, pid_t pid, struct os_iov local, struct os_iov remote)
{
    iov_skip_bytes(&local, 0); /* skips empty parts */
    iov_skip_bytes(&remote, 0);
    while (local.n && remote.n) {
        ssize_t moved =
            call(pid, local.v, (unsigned long) local.n, remote.v, (unsigned long) remote.n, 0);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved <= 0)
            return moved ? -errno : -EFAULT;
        iov_skip_bytes(&local, (size_t) moved);
        iov_skip_bytes(&remote, (size_t) moved);
    }
    return 0;
}

int os_cma_readv(pid_t pid, struct os_iov to, struct os_iov from)
{
    return cma_transfer(process_vm_readv, pid, to, from);
}

int os_cma_writev(pid_t pid, struct os_iov from, struct os_iov to)
{
    return cma_transfer(process_vm_writev, pid, from, to);
}

int os_cma_read(pid_t pid, void *local, const void *remote, size_t len)
{
    struct iovec to = { local, len }, from = { (void *) (uintptr_t) remote, len };

    return os_cma_readv(pid, (struct os_iov) { &to, 1 }, (struct os_iov) { &from, 1 });
}

int os_cma_write(pid_t pid, const void *local, void *remote, size_t len)
{
    struct iovec from = { (void *) (uintptr_t) local, len }, to = { remote, len };

    return os_cma_writev(pid, (struct os_iov) { &from, 1 }, (struct os_iov) { &to, 1 });
}

int os_new_fd(int fd)
{
    if (fd < 0)
        return -errno;
    if (fd > STDERR_FILENO)
        return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), err = errno;
    (void) close(fd);
    return moved < 0 ? -err : moved;
}

int os_random(void *buf, size_t len)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = getrandom((char *) buf + got, len - got, 0);
        if (n < 0 && errno != EINTR)
            return -errno;
        got += n > 0 ? (size_t) n : 0;
    }
    return 0;
}

void os_hostname(char *name, size_t len)
{
    if (gethostname(name, len))
        name[0] = '\0';
    name[len - 1] = '\0';
}

bool os_machine(char *name, size_t len)
{
    struct utsname u;

    if (uname(&u) || strlen(u.machine) >= len)
        return false;
    memcpy(name, u.machine, strlen(u.machine) + 1);
    return true;
}

uint32_t os_network(void)
{
    struct stat s;

    return stat("/proc/self/ns/net", &s) ? 0 : (uint32_t) s.st_ino;
}

uint64_t os_pid_namespace(void)
{
    struct stat s;

    return stat("/proc/self/ns/pid", &s) ? 0 : s.st_ino;
}

size_t os_command_line(char *text, size_t len)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    size_t got = 0;
    ssize_t n;

    if (fd < 0)
        return 0;
    while (got < len && (n = read(fd, text + got, len - got)) != 0) {
        if (n < 0 && errno != EINTR)
            break;
        got += n > 0 ? (size_t) n : 0;
    }
    (void) close(fd);
    return got;
}

void os_die_with_parent(void) { (void) prctl(PR_SET_PDEATHSIG, SIGKILL); }

void os_in_children(void (*run)(void)) { (void) pthread_atfork(NULL, NULL, run); }

uint64_t os_thread_id(void) { return (uint64_t) gettid(); }

bool os_is_open_socket(int fd)
{
    int type;
    socklen_t len = sizeof type;

    return !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len);
}

int os_set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) ? -errno : 0;
}
