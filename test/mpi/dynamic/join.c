/* join.c — MPI_Comm_join (10.5.5) over sockets of all kinds: between two processes of a job, and
 * with "apart" between this process and a child that is a job of its own; and what is no such
 * socket. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mpitest.h"

enum { WANTED_FD = 77, KINDS = 4, LATE_US = 1500000 };

/* ---- sockets --------------------------------------------------------------------------------- */

static int listen_at(int family)
{
    struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_un un = { .sun_family = AF_UNIX };
    int fd = socket(family, SOCK_STREAM, 0);

    CHECK(fd >= 0);
    CHECK(!bind(fd, family == AF_INET ? (void *) &in : (void *) &un,
                family == AF_INET ? sizeof in : sizeof un.sun_family)); /* any address */
    CHECK(!listen(fd, 1));
    return fd;
}

/* Connects the ranks 2i and 2i + 1. */
static int connect_pair(int rank, int family)
{
    struct sockaddr_storage a;
    socklen_t len = sizeof a;
    int listener, fd;

    if (rank % 2) {
        MPI_Recv(&len, sizeof len, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&a, sizeof a, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fd = socket(family, SOCK_STREAM, 0);
        CHECK(fd >= 0 && !connect(fd, (void *) &a, len));
        return fd;
    }
    listener = listen_at(family);
    CHECK(!getsockname(listener, (void *) &a, &len));
    MPI_Send(&len, sizeof len, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Send(&a, sizeof a, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
    fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0);
    close(listener);
    return fd;
}

/* ---- joins ----------------------------------------------------------------------------------- */

/* A message there and back, on the communicator and, since it is quiet, on the socket. */
static void use_both(MPI_Comm c, int fd, int number)
{
    int inter, size, got = -1, other = -1;

    MPI_Comm_test_inter(c, &inter);
    MPI_Comm_remote_size(c, &size);
    CHECK(inter && size == 1);
    MPI_Sendrecv(&number, 1, MPI_INT, 0, 5, &got, 1, MPI_INT, 0, 5, c, MPI_STATUS_IGNORE);
    CHECK(got == (number ^ 1));
    CHECK(recv(fd, &other, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
    MPI_Barrier(c);
    CHECK(send(fd, &number, sizeof number, 0) == sizeof number);
    CHECK(recv(fd, &other, sizeof other, MSG_WAITALL) == sizeof other || errno == EAGAIN);
    while (other == -1)
        (void) !recv(fd, &other, sizeof other, 0);
    CHECK(other == (number ^ 1));
}

/* Joins, and again while the two are connected already. number: of this end, even and one more. */
static void join_twice(int fd, int flags, int number)
{
    MPI_Comm c, again;

    CHECK(!fcntl(fd, F_SETFL, flags));
    int before = fcntl(fd, F_GETFL), fd_flags = fcntl(fd, F_GETFD);
    CHECK_INT(MPI_Comm_join(fd, &c), MPI_SUCCESS);
    CHECK(c != MPI_COMM_NULL);
    CHECK_INT(fcntl(fd, F_GETFL), before);
    CHECK_INT(fcntl(fd, F_GETFD), fd_flags);
    use_both(c, fd, number);
    CHECK_INT(MPI_Comm_join(fd, &again), MPI_SUCCESS);
    use_both(again, fd, number);
    MPI_Comm_free(&c);
    use_both(again, fd, number);
    MPI_Comm_disconnect(&again);
    close(fd);
}

static int at_the_same_number(int fd)
{
    CHECK(dup2(fd, WANTED_FD) == WANTED_FD);
    close(fd);
    return WANTED_FD;
}

static void pairs_join(int rank, int size)
{
    for (int kind = 0; kind < KINDS; kind++)
        if ((rank | 1) < size)
            join_twice(at_the_same_number(connect_pair(rank, kind % 2 ? AF_UNIX : AF_INET)),
                       kind / 2 ? O_NONBLOCK : 0, rank);
}

static double processor_time(void)
{
    struct rusage r;

    CHECK(!getrusage(RUSAGE_SELF, &r));
    return (double) (r.ru_utime.tv_sec + r.ru_stime.tv_sec)
           + 1e-6 * (double) (r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Rank 0 joins a process that comes later, and sleeps meanwhile: 5% of a core, where polling takes
 * 20% and more. */
static void wait_for_late(int rank)
{
    MPI_Comm inter;

    if (rank > 1)
        return;
    int fd = connect_pair(rank, AF_UNIX);
    if (rank)
        usleep(LATE_US);
    double used = processor_time();
    CHECK_INT(MPI_Comm_join(fd, &inter), MPI_SUCCESS);
    CHECK(rank || processor_time() - used < 0.05e-6 * LATE_US + 0.03);
    CHECK_INT(MPI_Comm_disconnect(&inter), MPI_SUCCESS);
    close(fd);
}

/* ---- a job of its own ------------------------------------------------------------------------ */

/* Starts this program again, without a launcher, with its end of a socketpair. */
static void join_child(const char *self, const char *devices, const char *of_child)
{
    int fd[2], status;

    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    if (!fork()) {
        close(fd[0]);
        (void) dup2(fd[1], WANTED_FD);
        setenv("STARLING_DEVICES", of_child, 1);
        execl(self, self, "child", devices, (char *) NULL);
        _exit(9);
    }
    close(fd[1]);
    MPI_Comm c;
    CHECK_INT(MPI_Comm_join(at_the_same_number(fd[0]), &c), MPI_SUCCESS);
    CHECK((c == MPI_COMM_NULL) == !*devices);
    if (c == MPI_COMM_NULL) {
        char byte = 0;
        CHECK(recv(WANTED_FD, &byte, 1, 0) == 1 && byte == 'q'); /* it is quiet all the same */
    } else {
        use_both(c, WANTED_FD, 0);
        MPI_Comm_disconnect(&c);
    }
    close(WANTED_FD);
    CHECK(wait(&status) > 0 && !status);
}

static int child(const char *devices)
{
    MPI_Comm c;

    CHECK_INT(MPI_Comm_join(WANTED_FD, &c), MPI_SUCCESS);
    CHECK((c == MPI_COMM_NULL) == !*devices);
    if (c == MPI_COMM_NULL) {
        CHECK(send(WANTED_FD, "q", 1, 0) == 1);
    } else {
        use_both(c, WANTED_FD, 1);
        MPI_Comm_disconnect(&c);
    }
    MPI_Finalize();
    return 0;
}

/* ---- what is no such socket ------------------------------------------------------------------ */

static void refused(int fd, int errclass, const char *word)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    MPI_Comm c = MPI_COMM_WORLD;
    int code = MPI_Comm_join(fd, &c), found, len;

    MPI_Error_class(code, &found);
    MPI_Error_string(code, text, &len);
    CHECK_INT(found, errclass);
    if (!strstr(text, word))
        fprintf(stderr, "'%s' is not in: %s\n", word, text);
    CHECK(strstr(text, word) && c == MPI_COMM_NULL);
}

/* The other end has sent these bytes, and is closed with `closes`. */
static void refused_after(const void *bytes, size_t len, int closes, const char *word)
{
    int fd[2];

    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    CHECK(send(fd[1], bytes, len, 0) == (ssize_t) len);
    if (closes)
        close(fd[1]);
    refused(fd[0], MPI_ERR_OTHER, word);
    close(fd[0]);
    if (!closes)
        close(fd[1]);
}

/* Whatever is sent comes back. */
static void refused_by_echo(void)
{
    char bytes[4096];
    int fd[2];

    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    pid_t pid = fork();
    if (!pid) {
        close(fd[0]);
        for (ssize_t n; (n = read(fd[1], bytes, sizeof bytes)) > 0;)
            (void) !write(fd[1], bytes, (size_t) n);
        _exit(0);
    }
    close(fd[1]);
    refused(fd[0], MPI_ERR_OTHER, "sends back what it gets");
    close(fd[0]);
    CHECK(waitpid(pid, NULL, 0) == pid);
}

static void wrong_sockets(void)
{
    char zeros[4096] = "";
    int fd[2], udp = socket(AF_INET, SOCK_DGRAM, 0), listener = listen_at(AF_INET);
    int alone = socket(AF_INET, SOCK_STREAM, 0);

    refused(-1, MPI_ERR_ARG, "fd -1 is no socket");
    refused(12345, MPI_ERR_ARG, "fd 12345 is no socket");
    refused(udp, MPI_ERR_ARG, "no stream socket");
    refused(listener, MPI_ERR_ARG, "not connected");
    refused(alone, MPI_ERR_ARG, "not connected");
    CHECK(!pipe(fd));
    refused(fd[0], MPI_ERR_ARG, "no socket");
    refused_after("", 0, 1, "closed");
    refused_after("\223Starling j", 11, 1, "closed");
    refused_after("GET / HTTP/1.0\r\n\r\n", 18, 0, "no process in MPI_Comm_join");
    refused_after("\223Garbage", 8, 0, "no process in MPI_Comm_join");
    refused_after(zeros, sizeof zeros, 0, "no process in MPI_Comm_join");
    refused_by_echo();
    int code = MPI_Comm_join(fd[0], NULL);
    MPI_Error_class(code, &code);
    CHECK_INT(code, MPI_ERR_ARG);
    close(fd[0]);
    close(fd[1]);
    close(udp);
    close(listener);
    close(alone);
}

int main(int argc, char **argv)
{
    int rank, size;

    signal(SIGPIPE, SIG_DFL);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 3)
        return child(argv[2]);
    if (argc == 2) {
        join_child(argv[0], "connected", getenv("STARLING_DEVICES"));
        join_child(argv[0], "", "self");
    } else {
        pairs_join(rank, size);
        if (size > 1)
            wait_for_late(rank);
        wrong_sockets();
    }
    MPI_Finalize();
    return 0;
}
