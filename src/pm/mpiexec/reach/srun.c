/* srun.c — which options of srun there are. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pm/mpiexec/reach/reach_impl.h"

enum { ANSWER_MS = 3000, CANNOT = 127, RECENT_MAJOR = 23, RECENT_MINOR = 11 };

/* Reads what fd brings until its end, as a text. */
static void read_answer(int fd, char *text, size_t len)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    size_t n = 0;

    while (n + 1 < len && poll(&p, 1, ANSWER_MS) > 0) {
        ssize_t got = read(fd, text + n, len - 1 - n);
        if (got <= 0)
            break;
        n += (size_t) got;
    }
    text[n] = '\0';
}

/* What "program --version" prints. */
static void ask_version(const char *program, char *text, size_t len)
{
    int fd[2];

    *text = '\0';
    if (!program || pipe2(fd, O_CLOEXEC))
        return;
    pid_t pid = fork();
    if (!pid) {
        (void) dup2(fd[1], STDOUT_FILENO);
        (void) dup2(fd[1], STDERR_FILENO);
        (void) execlp(program, program, "--version", (char *) NULL);
        _exit(CANNOT);
    }
    (void) close(fd[1]);
    read_answer(fd[0], text, len);
    (void) close(fd[0]);
    if (pid > 0) {
        (void) kill(pid, SIGKILL); /* it has answered, or does not */
        (void) waitpid(pid, NULL, 0);
    }
}

bool pm_srun_is_recent(const char *program)
{
    static char text[256]; /* it is asked once */
    int major = 0, minor = 0;

    if (!*text)
        ask_version(program, text, sizeof text);
    if (sscanf(text, "slurm%*[ a-z-]%d.%d", &major, &minor) != 2) /* "slurm 22.05.8" */
        return false;
    return major > RECENT_MAJOR || (major == RECENT_MAJOR && minor >= RECENT_MINOR);
}
