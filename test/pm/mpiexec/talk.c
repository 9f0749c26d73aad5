/* talk.c — a rank that says to the PMI server what its arguments say, and prints the replies.
 *
 * +LINE   sends a line of PMI-1      =BODY  sends a body of PMI-2, behind its length
 * <       prints the next line       <=     prints the next body
 * exit=N  exits     sleep=MS     hold   waits to be killed     kill  kills itself by SIGKILL
 * echo=TEXT         prints a text       get=KEY  prints the value of a key of its store
 * repeat=N  the acts up to the next "again", N times
 * join    init of PMI-1             leave  finalize             rank   prints its rank
 *
 * A reply that does not come within 20 s ends it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT_S = 20, LENGTH = 6 };

static int fd;
static char line[1 << 17], kvs[256];

static void fail(const char *why)
{
    fprintf(stderr, "talk: %s\n", why);
    exit(9);
}

static void send_all(const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);
        if (n <= 0)
            fail("cannot write");
        text += n;
        len -= (size_t) n;
    }
}

static void send_line(const char *text)
{
    send_all(text, strlen(text));
    send_all("\n", 1);
}

static void send_body(const char *text)
{
    char length[32];

    (void) snprintf(length, sizeof length, "%6zu", strlen(text));
    send_all(length, LENGTH);
    send_all(text, strlen(text));
}

static void read_bytes(char *to, size_t len)
{
    while (len) {
        ssize_t n = read(fd, to, len);
        if (n <= 0)
            fail("the server has closed the connection");
        to += n;
        len -= (size_t) n;
    }
}

static const char *read_line(void)
{
    size_t n = 0;

    (void) alarm(LIMIT_S);
    for (; n + 1 < sizeof line; n++) {
        read_bytes(line + n, 1);
        if (line[n] == '\n')
            break;
    }
    (void) alarm(0);
    line[n] = '\0';
    return line;
}

static const char *read_body(void)
{
    char length[LENGTH + 1] = "";

    (void) alarm(LIMIT_S);
    read_bytes(length, LENGTH);
    size_t len = strtoul(length, NULL, 10);
    if (len >= sizeof line)
        fail("a body is too long");
    read_bytes(line, len);
    (void) alarm(0);
    line[len] = '\0';
    return line;
}

static void say(const char *text)
{
    (void) puts(text);
    (void) fflush(stdout);
}

static void join(void)
{
    send_line("cmd=init pmi_version=1 pmi_subversion=1");
    const char *name = strstr(read_line(), "kvsname=");
    if (!name || sscanf(name, "kvsname=%255s", kvs) != 1)
        fail(line);
}

static void get(const char *key)
{
    char text[512];

    (void) snprintf(text, sizeof text, "cmd=get kvsname=%s key=%s", kvs, key);
    send_line(text);
    const char *value = strstr(read_line(), "value=");
    say(value ? value + 6 : line);
}

static void leave(void)
{
    send_line("cmd=finalize");
    (void) read_line();
}

static void act(const char *what)
{
    const char *value = strchr(what, '=');

    value = value ? value + 1 : "";
    if (*what == '+')
        send_line(what + 1);
    else if (*what == '=')
        send_body(what + 1);
    else if (!strcmp(what, "<="))
        say(read_body());
    else if (!strcmp(what, "<"))
        say(read_line());
    else if (!strcmp(what, "join"))
        join();
    else if (!strcmp(what, "leave"))
        leave();
    else if (!strncmp(what, "get=", 4))
        get(value);
    else if (!strncmp(what, "echo=", 5))
        say(value);
    else if (!strncmp(what, "exit=", 5))
        exit(atoi(value));
    else if (!strncmp(what, "sleep=", 6))
        (void) usleep((unsigned) atoi(value) * 1000);
    else if (!strcmp(what, "rank"))
        say(getenv("PMI_RANK"));
    else if (!strcmp(what, "kill"))
        (void) raise(SIGKILL);
    else if (!strcmp(what, "hold"))
        for (;;)
            (void) pause();
    else
        fail(what);
}

int main(int argc, char **argv)
{
    const char *number = getenv("PMI_FD");

    if (!number || !getenv("PMI_RANK"))
        fail("it is no rank");
    fd = atoi(number);
    for (int i = 1, first = 0, left = 0; i < argc; i++) {
        if (!strncmp(argv[i], "repeat=", 7)) {
            left = atoi(argv[i] + 7);
            first = i;
        } else if (strcmp(argv[i], "again") != 0) {
            act(argv[i]);
        } else if (--left > 0) {
            i = first;
        }
    }
    return 0;
}
