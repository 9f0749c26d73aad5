/* process.c — other processes, this host, and what we may use of it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include "os.h"

int os_cma_scatter(pid_t pid, struct iovec *v, int n, const void *remote)
{
    struct iovec from = { (void *) (uintptr_t) remote, 0 };

    for (int i = 0; i < n; i++)
        from.iov_len += v[i].iov_len;
    while (from.iov_len) {
        ssize_t got = process_vm_readv(pid, v, (unsigned long) n, &from, 1, 0);
        if (got <= 0)
            return got ? -errno : -EFAULT;
        from.iov_base = (char *) from.iov_base + got;
        from.iov_len -= (size_t) got;
        for (; n && (size_t) got >= v->iov_len; v++, n--)
            got -= (ssize_t) v->iov_len;
        if (n) {
            v->iov_base = (char *) v->iov_base + got;
            v->iov_len -= (size_t) got;
        }
    }
    return 0;
}

int os_cma_read(pid_t pid, void *local, const void *remote, size_t len)
{
    return os_cma_scatter(pid, &(struct iovec) { local, len }, 1, remote);
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

void os_die_with_parent(void) { (void) prctl(PR_SET_PDEATHSIG, SIGKILL); }

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
