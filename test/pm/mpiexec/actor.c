/* actor.c — a rank that is no MPI program. It does what its arguments say, in order:
 *
 * lines N LEN       N lines of LEN letters, each of one letter, written in parts of random length
 * write N           N bytes without a newline
 * say TEXT          prints a line;  ask TEXT: without a newline;  err TEXT: to standard error
 * stubborn          ignores SIGTERM and SIGINT from now on
 * catch             from now on prints "caught N" when signal N arrives
 * spin | hold       computes for ever;  waits for ever;  sleep MS
 * cat               copies standard input
 * child             forks, and both continue;  daemon: the child in a session of its own
 * crowd N           N children that wait, each in a session of its own
 * fds               prints the open descriptors, on one line
 * self              prints whether it leads its process group, and its death signal
 * exit N */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };

static void put(const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(STDOUT_FILENO, text, len);
        if (n < 0)
            exit(99);
        text += n;
        len -= (size_t) n;
    }
}

static void line(const char *text)
{
    char buf[1024];

    put(buf, (size_t) snprintf(buf, sizeof buf, "%.1000s\n", text));
}

static void write_lines(long lines, long len)
{
    char *text = malloc((size_t) len + 1);

    srand((unsigned) getpid());
    for (long i = 0; i < lines; i++) {
        memset(text, 'a' + rand() % 26, (size_t) len);
        text[len] = '\n';
        for (long at = 0, n; at <= len; at += n) {
            n = 1 + rand() % (len + 1);
            n = n < len + 1 - at ? n : len + 1 - at;
            put(text + at, (size_t) n);
        }
    }
    free(text);
}

static void write_bytes(long n)
{
    static char bytes[4096];

    memset(bytes, 'x', sizeof bytes);
    for (; n > 0; n -= (long) sizeof bytes)
        put(bytes, n < (long) sizeof bytes ? (size_t) n : sizeof bytes);
}

static void on_signal(int signal)
{
    char text[] = "caught 00\n";

    text[7] = (char) ('0' + signal / 10);
    text[8] = (char) ('0' + signal % 10);
    put(text, sizeof text - 1);
}

static void catch_signals(void)
{
    static const int which[] = { SIGUSR1, SIGUSR2, SIGINT, SIGTERM, SIGCONT, SIGHUP, SIGWINCH };
    struct sigaction a = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

    for (size_t i = 0; i < sizeof which / sizeof *which; i++)
        sigaction(which[i], &a, NULL);
}

static void copy(void)
{
    char buf[4096];
    ssize_t n;

    while ((n = read(STDIN_FILENO, buf, sizeof buf)) > 0)
        put(buf, (size_t) n);
}

static void list_descriptors(void)
{
    char text[1024];
    int n = 0;

    for (int fd = 0; fd < DESCRIPTORS && n < 1000; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            n += snprintf(text + n, sizeof text - (size_t) n, "%d ", fd);
    line(text);
}

static void show_self(void)
{
    char text[128];
    int death = 0;

    prctl(PR_GET_PDEATHSIG, &death);
    snprintf(text, sizeof text, "leader %d death %d", getpgrp() == getpid(), death);
    line(text);
}

static void hold(void)
{
    for (;;)
        pause();
}

static void spin(void)
{
    for (volatile long i = 0;; i++)
        continue;
}

static void make_crowd(long n)
{
    while (n-- > 0) {
        if (!fork()) {
            setsid();
            hold();
        }
    }
}

/* Actions without an argument. */
static const struct {
    const char *word;
    void (*act)(void);
} plain[] = {
    { "catch", catch_signals },  { "spin", spin },      { "hold", hold }, { "cat", copy },
    { "fds", list_descriptors }, { "self", show_self },
};

static void act_on(const char *word, const char *arg)
{
    if (!strcmp(word, "write"))
        write_bytes(strtol(arg, NULL, 10));
    else if (!strcmp(word, "say"))
        line(arg);
    else if (!strcmp(word, "ask"))
        put(arg, strlen(arg));
    else if (!strcmp(word, "err"))
        fprintf(stderr, "%s\n", arg);
    else if (!strcmp(word, "sleep"))
        usleep((useconds_t) strtol(arg, NULL, 10) * 1000);
    else if (!strcmp(word, "crowd"))
        make_crowd(strtol(arg, NULL, 10));
    else if (!strcmp(word, "exit"))
        exit((int) strtol(arg, NULL, 10));
    else
        exit(98);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool done = false;
        for (size_t p = 0; p < sizeof plain / sizeof *plain; p++) {
            if (strcmp(argv[i], plain[p].word))
                continue;
            plain[p].act();
            done = true;
        }
        if (done)
            continue;
        if (!strcmp(argv[i], "stubborn")) {
            signal(SIGTERM, SIG_IGN);
            signal(SIGINT, SIG_IGN);
        } else if (!strcmp(argv[i], "child")) {
            (void) !fork();
        } else if (!strcmp(argv[i], "daemon")) {
            if (!fork())
                setsid();
        } else if (!strcmp(argv[i], "lines") && i + 2 < argc) {
            write_lines(strtol(argv[i + 1], NULL, 10), strtol(argv[i + 2], NULL, 10));
            i += 2;
        } else if (i + 1 < argc) {
            act_on(argv[i], argv[i + 1]);
            i++;
        }
    }
    return 0;
}
