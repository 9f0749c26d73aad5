/* run_test.c — runs a test and says what it cost.
 *
 * usage: run_test NAME COMMAND...
 *
 * With TEST_COSTS=FILE in the environment it appends a line to the file: NAME, and the processor
 * seconds of the command and of all processes that were waited for below it, user and system. It
 * ends as the command ends: with its exit code, or by the same signal. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double seconds_of(struct timeval t) { return (double) t.tv_sec + (double) t.tv_usec / 1e6; }

/* One write, so that the lines of tests that end at the same time do not mix. */
static void append_cost(const char *path, const char *name, const struct rusage *used)
{
    char line[512];
    int len = snprintf(line, sizeof line, "%s %.3f %.3f\n", name, seconds_of(used->ru_utime),
                       seconds_of(used->ru_stime));
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

    if (fd < 0 || len <= 0 || write(fd, line, (size_t) len) != len)
        fprintf(stderr, "run_test: %s: %s\n", path, strerror(errno));
    if (fd >= 0)
        close(fd);
}

static void die_likewise(int number)
{
    const struct rlimit no_core = { 0, 0 };

    (void) setrlimit(RLIMIT_CORE, &no_core);
    (void) signal(number, SIG_DFL);
    (void) raise(number);
}

int main(int argc, char **argv)
{
    const char *path = getenv("TEST_COSTS");
    struct rusage used;
    int status, code;
    pid_t pid;

    if (argc < 3)
        return 2;
    code = posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ);
    if (code) {
        fprintf(stderr, "run_test: %s: %s\n", argv[2], strerror(code));
        return 127;
    }
    while (wait4(pid, &status, 0, &used) < 0)
        if (errno != EINTR)
            return 126;
    if (path)
        append_cost(path, argv[1], &used);
    if (WIFSIGNALED(status))
        die_likewise(WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
