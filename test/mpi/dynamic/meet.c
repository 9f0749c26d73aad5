/* meet.c — one side of jobs that meet by ports, for ports_test.py. Its arguments are steps:
 *
 *     open FILE [KEY=VALUE...] .   rank 0 opens a port, and writes its name to the file
 *     accept SECONDS               all accept, talk, and disconnect; 0: without the key timeout
 *     connect FILE SECONDS         likewise
 *     keep                         the next one is not disconnected but freed
 *     close                        rank 0 closes the port
 *     free                         frees descriptors that `use` has taken
 *     use N                        leaves so many descriptors
 *     sleep MILLISECONDS
 *
 * Rank 0 prints a line for each step: its result, and the processor time of the step in ms. */
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "mpitest.h"

enum { DESCRIPTORS = 4096 };

static int rank, keep, left;
static char port[1024]; /* also wrong names, which are longer than MPI_MAX_PORT_NAME */
static int taken[DESCRIPTORS], ntaken;

static long processor_ms(void)
{
    struct rusage u;

    (void) getrusage(RUSAGE_SELF, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000
           + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

static void result_print(const char *step, int err, const char *good, long since)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int errclass = MPI_SUCCESS, len;

    if (err) {
        MPI_Error_class(err, &errclass);
        MPI_Error_string(err, text, &len);
    }
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (rank == 0)
        printf("%s %s %ld %s\n", step,
               !err                             ? good
               : errclass == MPI_ERR_PORT       ? "MPI_ERR_PORT"
               : errclass == MPI_ERR_INFO_VALUE ? "MPI_ERR_INFO_VALUE"
                                                : "MPI_ERR_OTHER",
               processor_ms() - since, text);
    fflush(stdout);
}

static void port_open(const char *file, MPI_Info info)
{
    char made[4096];
    long since = processor_ms();
    int err = MPI_Open_port(info, port);

    result_print("open", err, "opened", since);
    if (err)
        return;
    snprintf(made, sizeof made, "%s.new", file);
    FILE *f = fopen(made, "w");
    CHECK(f && fputs(port, f) >= 0 && fclose(f) == 0 && rename(made, file) == 0);
}

static void descriptors_use(void)
{
    int fd;

    while (ntaken < DESCRIPTORS && (fd = open("/dev/null", O_RDONLY)) >= 0)
        taken[ntaken++] = fd;
    CHECK(ntaken < DESCRIPTORS && ntaken >= left);
    for (int i = 0; i < left; i++)
        close(taken[--ntaken]);
}

static void port_read(const char *file)
{
    const struct timespec pause = { .tv_nsec = 10000000 };
    int all = ntaken;
    FILE *f;

    if (all)
        close(taken[--ntaken]); /* for the file */
    while (!(f = fopen(file, "r")))
        nanosleep(&pause, NULL);
    port[0] = '\0';
    (void) !fgets(port, sizeof port, f);
    fclose(f);
    if (all)
        descriptors_use();
}

static MPI_Info timeout_info(const char *seconds)
{
    MPI_Info info = MPI_INFO_NULL;

    if (strcmp(seconds, "0") != 0) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "timeout", seconds);
    }
    return info;
}

static void meet(const char *step, const char *seconds)
{
    MPI_Info info = timeout_info(seconds);
    MPI_Comm inter = MPI_COMM_WORLD;
    long since = processor_ms();
    char good[64];
    int accepts = !strcmp(step, "accept"), size, theirs, sum, one = 1,
        err = accepts ? MPI_Comm_accept(port, info, 0, MPI_COMM_WORLD, &inter)
                      : MPI_Comm_connect(port, info, 0, MPI_COMM_WORLD, &inter);

    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&(int) { err != MPI_SUCCESS }, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 0 || sum == size);
    CHECK(!err == (inter != MPI_COMM_NULL));
    if (err) {
        result_print(step, err, "", since);
        return;
    }
    MPI_Comm_remote_size(inter, &theirs);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    CHECK_INT(sum, theirs);
    snprintf(good, sizeof good, "%d", theirs);
    result_print(step, MPI_SUCCESS, good, since);
    if (keep)
        MPI_Comm_free(&inter);
    else
        MPI_Comm_disconnect(&inter);
    keep = 0;
}

static char **step_open(char **arg)
{
    const char *file = *arg++;
    MPI_Info info;

    MPI_Info_create(&info);
    for (; strcmp(*arg, ".") != 0; arg++) {
        char *value = strchr(*arg, '=');
        CHECK(value);
        *value++ = '\0';
        MPI_Info_set(info, *arg, value);
    }
    if (rank == 0)
        port_open(file, info);
    MPI_Info_free(&info);
    return arg + 1;
}

static void descriptors_free(void)
{
    while (ntaken)
        close(taken[--ntaken]);
}

static void step_sleep(const char *ms)
{
    const long all = atol(ms);
    const struct timespec t = { all / 1000, all % 1000 * 1000000 };

    nanosleep(&t, NULL);
}

static char **step_do(char **arg)
{
    const char *step = *arg++;

    if (!strcmp(step, "open"))
        return step_open(arg);
    if (!strcmp(step, "accept"))
        meet(step, *arg++);
    else if (!strcmp(step, "connect")) {
        if (rank == 0)
            port_read(*arg);
        meet(step, arg[1]);
        arg += 2;
    } else if (!strcmp(step, "close") && rank == 0)
        result_print(step, MPI_Close_port(port), "closed", processor_ms());
    else if (!strcmp(step, "use")) {
        left = atoi(*arg++);
        descriptors_use();
    } else if (!strcmp(step, "free"))
        descriptors_free();
    else if (!strcmp(step, "sleep"))
        step_sleep(*arg++);
    keep |= !strcmp(step, "keep");
    return arg;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (char **arg = argv + 1; *arg;)
        arg = step_do(arg);
    MPI_Finalize();
    return 0;
}
