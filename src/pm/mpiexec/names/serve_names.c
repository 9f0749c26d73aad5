/* serve_names.c — the file and the life of a server of names.
 *
 * A second server for the same file is refused: the file is locked as long as the first one
 * runs. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include "pm/mpiexec/names/names_impl.h"
#include "pm/node/log.h"
#include "pm/node/loop.h"

static bool ended;

static void signal_came(struct pm_source *s)
{
    (void) s;
    ended = true;
}

static int watch_signals(void)
{
    static struct pm_source source = { .ready = signal_came };
    sigset_t set;

    (void) sigemptyset(&set);
    (void) sigaddset(&set, SIGINT);
    (void) sigaddset(&set, SIGTERM);
    (void) sigaddset(&set, SIGHUP);
    (void) sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : pm_loop_watch(fd, true, false, &source);
}

/* Locks the file, which is made if need be. A descriptor, or -errno. */
static int lock_file(const char *file)
{
    int fd = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR);
    struct stat s;

    if (fd < 0)
        return -errno;
    int err = flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &s) ? -errno : 0;
    if (!err && (!S_ISREG(s.st_mode) || s.st_uid != geteuid()))
        err = -EPERM;
    if (!err && (fchmod(fd, S_IRUSR | S_IWUSR) || ftruncate(fd, 0)))
        err = -errno;
    if (!err)
        return fd;
    (void) close(fd);
    return err;
}

/* Unless another file has taken its place. */
static void remove_file(const char *file, int fd)
{
    struct stat own, there;

    if (!fstat(fd, &own) && !stat(file, &there) && own.st_dev == there.st_dev
        && own.st_ino == there.st_ino)
        (void) unlink(file);
    (void) close(fd);
}

static int refuse_file(const char *file, int err)
{
    pm_log(err == -EWOULDBLOCK ? "another server of names runs for %s"
                               : "cannot be a server of names: %s: %s",
           file, strerror(-err));
    return 1;
}

static int serve_until_signal(const char *file, int fd, const struct pm_ports *ports)
{
    char line[PM_CALL_LINE];
    struct pm_answers *answers = pm_names_open(ports, line, sizeof line);
    int err = answers ? 0 : -errno;

    if (!err && write(fd, line, strlen(line)) != (ssize_t) strlen(line))
        err = -ENOSPC;
    explicit_bzero(line, sizeof line);
    while (!err && !ended)
        pm_loop_once(true);
    if (answers)
        pm_answers_close(answers);
    pm_names_close();
    return err ? refuse_file(file, err) : 0;
}

int pm_serve_names(const char *file, const struct pm_ports *ports)
{
    if (!pm_seal_is_possible()) {
        pm_log("this mpiexec was built without libsodium, which a server of names needs");
        return 1;
    }
    int fd = lock_file(file);
    if (fd < 0)
        return refuse_file(file, fd);
    int err = pm_loop_open();
    if (!err)
        err = watch_signals();
    int code = err ? refuse_file(file, err) : serve_until_signal(file, fd, ports);
    remove_file(file, fd);
    return code;
}
